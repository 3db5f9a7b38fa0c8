#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "store/store.hpp"

namespace parley {

/// Which store a process is to have.
struct StoreChoice {
  StoreChoice() = default;
  bool in_file = false;
  bool threads = true;         ///< False: on a clock that jumps.
  std::filesystem::path path;  ///< Empty: default_store_file().
  std::string who;             ///< For others that want the file: "parley serve, process 123".
};

struct ChosenStore {
  std::shared_ptr<Store> store;
  std::string
      trouble;  ///< Why it is in memory although it was to be in a file, and what to do; empty: it is not.
};

/// Opens the file, or where that can't be used keeps to memory: turns go on all the same.
ChosenStore choose_store(const StoreChoice& choice, boost::asio::any_io_executor readers);

}  // namespace parley
