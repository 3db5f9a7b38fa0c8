#include "plugin/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

#include "message/log.hpp"
#include "plugin/load_error.hpp"
#include "plugin/manifest.hpp"
#include "runtime/guard.hpp"

namespace parley {
namespace {

std::string loader_says() {
  const char* text = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps one per thread
  return text == nullptr ? "no reason given" : text;
}

bool is_mapped(const std::filesystem::path& file) {
  void* handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) {
    loader_says();  // takes the message away
    return false;
  }
  dlclose(handle);
  return true;
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : text;
}

}  // namespace

void PluginLibrary::Closer::operator()(void* handle) const noexcept {
  dlclose(handle);
}

PluginLibrary::PluginLibrary(const std::filesystem::path& file, PluginKind expected)
    : PluginLibrary(file, expected, std::nullopt) {}

PluginLibrary PluginLibrary::beside_others(const std::filesystem::path& file, PluginKind expected) {
  return {file, expected, PrivateCopy(file)};
}

PluginLibrary::PluginLibrary(const std::filesystem::path& file, PluginKind expected,
                             std::optional<PrivateCopy> copy)
    : file_(std::filesystem::absolute(file).lexically_normal()), kind_(expected), copy_(std::move(copy)) {
  const std::filesystem::path opened = copy_ ? copy_->path() : file_;
  if (const auto facts = read_manifest(opened)) check_manifest(file_, *facts, expected);
  suspect_ = CrashSuspect(file_.native());
  handle_.reset(dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle_) throw explain_load_error(file_, loader_says());
  read_loaded_manifest();
}

void PluginLibrary::read_loaded_manifest() {
  manifest_ = static_cast<const PluginManifest*>(dlsym(handle_.get(), kManifestSymbol));
  if (manifest_ == nullptr) {
    throw PluginError(file_, fmt::format("exports no '{}' ({}): build it with parley_add_stage() or "
                                         "parley_add_skill()",
                                         kManifestSymbol, loader_says()));
  }
  ManifestFacts facts(manifest_->size, manifest_->abi, static_cast<std::uint32_t>(manifest_->kind));
  if (facts.has_our_layout()) {
    facts.name = text_or_empty(manifest_->name);
    facts.fingerprint = text_or_empty(manifest_->fingerprint);
  }
  check_manifest(file_, facts, kind_);
  name_ = *facts.name;
  version_ = text_or_empty(manifest_->version);
  suspect_.loaded(fmt::format("{} {}", to_string(kind_), name_), manifest_);
  const bool has_factory =
      kind_ == PluginKind::kStage ? manifest_->create_stage != nullptr : manifest_->create_skill != nullptr;
  if (!has_factory) {
    throw PluginError(
        file_, fmt::format("has a manifest without a factory for a {0}: make it with {1}", to_string(kind_),
                           kind_ == PluginKind::kStage ? "PARLEY_STAGE" : "PARLEY_SKILL"));
  }
}

PluginLibrary& PluginLibrary::operator=(PluginLibrary&& other) noexcept {
  if (this == &other) return *this;
  unload();
  file_ = std::move(other.file_);
  kind_ = other.kind_;
  name_ = std::move(other.name_);
  version_ = std::move(other.version_);
  suspect_ = std::move(other.suspect_);
  copy_ = std::move(other.copy_);
  handle_ = std::move(other.handle_);
  manifest_ = other.manifest_;
  return *this;
}

const PluginManifest& PluginLibrary::manifest_of(PluginKind wanted) const {
  if (handle_ && kind_ == wanted) return *manifest_;
  throw std::logic_error(fmt::format("'{}': make a {} of a {} that is {}", file_.string(), to_string(wanted),
                                     to_string(kind_), handle_ ? "loaded" : "closed"));
}

template <class Made>
std::unique_ptr<Made> PluginLibrary::make(Made* (*factory)()) const {
  std::unique_ptr<Made> made;
  const auto failure = failure_of([&] { made.reset(factory()); });
  if (failure) {
    throw PluginError(file_,
                      fmt::format("failed to make the {} '{}': {}", to_string(kind_), name_, *failure));
  }
  if (!made) {
    throw PluginError(file_, fmt::format("made no {} '{}': its factory returned null, expected a new object; "
                                         "make the factory with {}",
                                         to_string(kind_), name_,
                                         kind_ == PluginKind::kStage ? "PARLEY_STAGE" : "PARLEY_SKILL"));
  }
  return made;
}

std::unique_ptr<Stage> PluginLibrary::make_stage() const {
  return make(manifest_of(PluginKind::kStage).create_stage);
}

std::unique_ptr<Skill> PluginLibrary::make_skill() const {
  return make(manifest_of(PluginKind::kSkill).create_skill);
}

void PluginLibrary::keep_mapped() noexcept {
  static_cast<void>(handle_.release());
  if (copy_) copy_->keep();
}

Unloaded PluginLibrary::unload() {
  if (!handle_) return Unloaded::kGone;
  manifest_ = nullptr;
  handle_.reset();
  if (!is_mapped(copy_ ? copy_->path() : file_)) {
    suspect_ = CrashSuspect();
    copy_.reset();
    return Unloaded::kGone;
  }
  if (copy_) copy_->keep();  // or another would come to have its path
  return Unloaded::kStillMapped;
}

Unloaded PluginLibrary::close() {
  const Unloaded unloaded = unload();
  if (unloaded == Unloaded::kStillMapped) {
    log_warning("plugin",
                fmt::format("'{}' is closed but stays in memory (a thread_local, a unique symbol or a "
                            "second load holds it): a changed file is only seen after a restart",
                            file_.string()));
  }
  return unloaded;
}

PluginError duplicate_plugin(const PluginLibrary& refused, const std::filesystem::path& loaded_before) {
  return {refused.file(),
          fmt::format("has the {} '{}', which '{}' was loaded with already: remove one of the "
                      "two, or give it another name",
                      to_string(refused.kind()), refused.name(), loaded_before.string())};
}

}  // namespace parley
