#pragma once

#include <filesystem>

#include "net/grant.hpp"

namespace parley {

/// Reads the clients' tokens and what each may do; docs/gateway.md has the form.
/// @throws ConfigError with everything that is wrong with the file
net::Grants read_token_file(const std::filesystem::path& file);

}  // namespace parley
