#include "store/choose.hpp"

#include <fmt/format.h>

#include "store/open.hpp"

namespace parley {
namespace {

std::shared_ptr<Store> open_chosen(const StoreChoice& choice, boost::asio::any_io_executor readers) {
  const std::filesystem::path file = choice.path.empty() ? default_store_file() : choice.path;
  if (file.empty())
    throw StoreRefused(
        "there is no place for the store: set HOME or XDG_DATA_HOME, or name a file with 'store.path'");
  auto lock = std::make_unique<StoreLock>(file, choice.who);
  if (!choice.threads) return open_direct_store(file, std::move(lock));
  return open_store(file, std::move(lock), std::move(readers));
}

}  // namespace

ChosenStore choose_store(const StoreChoice& choice, boost::asio::any_io_executor readers) {
  ChosenStore chosen;
  if (choice.in_file) {
    try {
      chosen.store = open_chosen(choice, std::move(readers));
      return chosen;
    } catch (const StoreInUse& used) {
      chosen.trouble = fmt::format(
          "{}: here everything is kept in memory only, and gone at the end; end that one first, or name "
          "another file "
          "with 'store.path'",
          used.what());
    } catch (const StoreRefused& refused) {
      chosen.trouble = fmt::format("{}; until then everything is kept in memory only, and gone at the end",
                                   refused.what());
    }
  }
  chosen.store = make_memory_store();
  return chosen;
}

}  // namespace parley
