#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>

namespace parley {

/// Calls `each` for 0 to `count` - 1 on this thread, and on those of `helpers` that come to it before all is
/// begun; returns when every call has ended, and does not wait for a helper that has not begun.
/// @throws std::runtime_error with what the first call that failed threw; none begins after that
void share_out(const boost::asio::any_io_executor& helpers, std::size_t count,
               const std::function<void(std::size_t)>& each);

/// Gives free memory back to the system when there is much of it: work may take several times what it leaves.
void give_back_memory();

}  // namespace parley
