#pragma once

#include <fmt/format.h>

#include <filesystem>

#include "config/store_file.hpp"
#include "host.hpp"
#include "store/open.hpp"

namespace parley::command {

/// Gives what `read` gives of the store's file, beside a process that writes it. @throws StoreRefused
template <class Read>
auto read_kept(const Setup& setup, Read&& read) {
  const auto file = store_file(setup.config.store, setup.options.config_file);
  if (!std::filesystem::exists(file))
    throw StoreRefused(
        fmt::format("there is no store '{}' yet: `parley serve` and `parley chat` make it, and "
                    "'store.path' says where",
                    file.string()));
  const auto database = open_to_read(file);
  try {
    return read(*database);
  } catch (const DatabaseError& error) {
    throw StoreRefused(explain_error(error, file));
  }
}

}  // namespace parley::command
