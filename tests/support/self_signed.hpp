#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace parley::testing {

/// A certificate for a day that nobody vouches for, and its key: a PEM file as `gateway.certificate` takes
/// it.
inline std::string self_signed() {
  using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
  using Bytes = std::unique_ptr<BIO, decltype(&BIO_free_all)>;
  const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const Certificate made(X509_new(), &X509_free);
  const Bytes pem(BIO_new(BIO_s_mem()), &BIO_free_all);
  constexpr long kDay = 24 * 3600;
  X509_NAME* const name = X509_get_subject_name(made.get());
  const auto* const host = reinterpret_cast<const unsigned char*>("127.0.0.1");
  const bool done =
      key != nullptr && X509_set_version(made.get(), X509_VERSION_3) == 1 &&
      X509_gmtime_adj(X509_getm_notBefore(made.get()), 0) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(made.get()), kDay) != nullptr &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1 &&
      X509_set_issuer_name(made.get(), name) == 1 && X509_set_pubkey(made.get(), key.get()) == 1 &&
      X509_sign(made.get(), key.get(), EVP_sha256()) > 0 && PEM_write_bio_X509(pem.get(), made.get()) == 1 &&
      PEM_write_bio_PrivateKey(pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!done) throw std::runtime_error("OpenSSL makes no certificate");
  char* text = nullptr;
  const long size = BIO_get_mem_data(pem.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace parley::testing
