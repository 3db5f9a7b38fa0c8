#include "cautions.hpp"

#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <parley/files.hpp>
#include <system_error>

#include "config/files.hpp"

namespace parley::command {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> status_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// The first certificate of a PEM file, which is the server's own; what can't be read is said elsewhere.
std::optional<std::string> about_certificate(const fs::path& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 20U;
  const auto text = read_file(file, kLargest);
  if (!text) return std::nullopt;
  const std::unique_ptr<BIO, decltype(&BIO_free)> bytes(
      BIO_new_mem_buf(text->data(), static_cast<int>(text->size())), &BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(bytes.get(), nullptr, nullptr, nullptr), &X509_free);
  if (!certificate) return std::nullopt;
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0)
    return fmt::format("gateway.certificate: '{}' has expired: clients will refuse it; renew it",
                       file.string());
  if (X509_cmp_current_time(X509_get0_notBefore(certificate.get())) > 0)
    return fmt::format("gateway.certificate: '{}' is not valid yet: clients will refuse it; check the clock",
                       file.string());
  return std::nullopt;
}

std::optional<std::string> about_tokens(const fs::path& file) {
  const auto status = status_of(file);
  if (!status || (status->st_mode & S_IROTH) == 0) return std::nullopt;
  return fmt::format("gateway.tokens: everybody on this machine can read '{}': chmod o-r it", file.string());
}

/// Whoever can write what is loaded can do what this program can.
std::optional<std::string> about_writers(const fs::path& file) {
  const auto status = status_of(file);
  if (!status) return std::nullopt;
  if ((status->st_mode & S_IWOTH) != 0)
    return fmt::format("'{}' holds code that is loaded, and everybody can write to it: chmod o-w it",
                       file.string());
  if (status->st_uid == 0 || status->st_uid == ::geteuid()) return std::nullopt;
  return fmt::format("'{}' holds code that is loaded, and belongs to user {}: chown it", file.string(),
                     status->st_uid);
}

/// A folder with plugins in it, or in folders of their own.
void look_through(const fs::path& folder, bool has_folders, std::vector<std::string>& found) {
  if (auto text = about_writers(folder)) found.push_back(std::move(*text));
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code unknown;
    if (has_folders && at->is_directory(unknown)) look_through(at->path(), false, found);
    if (at->path().extension() != ".so") continue;
    if (auto text = about_writers(at->path())) found.push_back(std::move(*text));
  }
}

}  // namespace

std::vector<std::string> cautions(const Config& config, const fs::path& config_file) {
  std::vector<std::string> found;
  const fs::path base = config_file.parent_path();
  const auto add = [&](std::optional<std::string> text) {
    if (text) found.push_back(std::move(*text));
  };
  if (!config.gateway.certificate.empty()) add(about_certificate(base / config.gateway.certificate));
  if (!config.gateway.tokens.empty()) add(about_tokens(base / config.gateway.tokens));
  const auto beside = config_file.empty() ? std::nullopt : std::optional(config_file);
  for (const auto& folders : {plugin_folders(config.plugins, beside, executable_directory()),
                              skill_folders(config.skills, beside, executable_directory())}) {
    for (const fs::path& folder : folders.directories) look_through(folder, true, found);
  }
  return found;
}

}  // namespace parley::command
