#include "evidence/memory_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "evidence/vectors.hpp"
#include "message/log.hpp"
#include "store/store.hpp"

namespace parley::evidence {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kTexts = 16;          ///< Of one request.
constexpr std::size_t kLoaded = 5'000;      ///< Vectors that are read at a time.
constexpr std::chrono::seconds kBound(60);  ///< Of one request.
constexpr std::chrono::milliseconds kLook = 1s;
constexpr std::chrono::milliseconds kPause = 50ms;
constexpr std::chrono::milliseconds kFirstPatience = 1s;
constexpr std::chrono::milliseconds kLongestPatience = 5min;
constexpr int kBelieved = 3;  ///< So often vectors have another size before they count as another model's.

}  // namespace

MemoryVectors::MemoryVectors(EmbeddingServer& server, std::shared_ptr<VectorIndex> index,
                             std::shared_ptr<Store> store, Timers& timers, Counters& counters,
                             boost::asio::any_io_executor loop, Post post, Offload offload,
                             std::function<bool()> is_held)
    : server_(server),
      index_(std::move(index)),
      store_(std::move(store)),
      timers_(timers),
      loop_(std::move(loop)),
      post_(std::move(post)),
      offload_(std::move(offload)),
      is_held_(std::move(is_held)),
      made_(counters.counter("parley_embeddings_total", {{"of", "memory"}, {"outcome", "made"}})),
      failed_(counters.counter("parley_embeddings_total", {{"of", "memory"}, {"outcome", "failed"}})),
      refused_(counters.counter("parley_embeddings_total", {{"of", "memory"}, {"outcome", "refused"}})),
      at_once_(kTexts),
      patience_(kFirstPatience) {}

std::function<void(const std::string&)> MemoryVectors::going_on(std::function<void()> then) {
  return [this, post = post_, alive = std::weak_ptr(alive_),
          then = std::move(then)](const std::string& failure) {
    post([this, alive, then, failure] {
      if (alive.expired()) return;
      if (failure.empty()) return then();
      log_warning("evidence", "no vectors are made for now: " + failure);
      wait(std::exchange(patience_, std::min(patience_ * 2, kLongestPatience)));
    });
  };
}

void MemoryVectors::read(std::function<void(Database&)> work, std::function<void()> then) {
  store_->read(std::move(work), going_on(std::move(then)));
}

void MemoryVectors::write(std::function<void(Database&)> work, std::function<void()> then) {
  store_->write(std::move(work), going_on(std::move(then)), Store::Lasts::kWithTheSystem);
}

void MemoryVectors::wait(std::chrono::milliseconds time) {
  timer_ = timers_.at(timers_.clock().now() + time, [this] { look(); });
}

void MemoryVectors::start() {
  if (!server_.trouble().empty()) return;
  const auto known = std::make_shared<std::pair<VectorModel, std::int64_t>>();
  read(
      [known, name = server_.name()](Database& database) {
        *known = {find_vector_model(database, name), looked_up_to(database)};
      },
      [this, known] {
        std::tie(model_, looked_) = *known;
        index_->begin(model_.id, model_.size);
        load();
      });
}

void MemoryVectors::load() {
  if (model_.id == 0) return look();
  const auto more = std::make_shared<bool>(false);
  read([more, index = index_](Database& database) { *more = index->load(database, kLoaded); },
       [this, more] { *more ? load() : look(); });
}

void MemoryVectors::look() {
  if (model_.id != 0 && !index_->is_loaded()) return load();  // the store failed in the middle of it
  if (queue_.size() > doubtful_.size()) return send();
  const auto list = std::make_shared<WantedList>();
  const auto followed = std::make_shared<std::int64_t>(0);
  read(
      [list, followed, index = index_, model = model_.id, looked = looked_,
       most = kTexts + doubtful_.size()](Database& database) {
        *list = wanted_vectors(database, model, looked, most);
        *followed = index->follow(database);
      },
      [this, list, followed] { take(std::move(*list), *followed); });
}

void MemoryVectors::take(WantedList list, std::int64_t followed) {
  looked_ = list.up_to;
  std::erase_if(list.texts, [this](const Wanted& one) { return doubtful_.contains(one.row); });
  const bool is_dull = list.texts.empty();
  queue_.insert(queue_.begin(), std::make_move_iterator(list.texts.begin()),
                std::make_move_iterator(list.texts.end()));
  if (followed > cleared_) {
    cleared_ = followed;
    store_->write([followed](Database& database) { clear_vector_changes(database, followed); },
                  [](const std::string&) {}, Store::Lasts::kWithTheSystem);
  }
  if (!queue_.empty()) return send();
  wait(is_dull && list.is_end ? kLook : 0ms);
}

void MemoryVectors::send() {
  if (is_held_()) return wait(kPause);
  sending_ = std::min(at_once_, std::max<std::size_t>(1, queue_.size() - doubtful_.size()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sending_; ++i) texts.push_back(to_embed(queue_[i].text));
  scope_.spawn(loop_, deliver(std::move(texts)));
}

Task<> MemoryVectors::deliver(std::vector<std::string> texts) {
  std::string places = "evidence.vectors";
  const std::size_t count = texts.size();
  Result<std::string> answer = co_await server_.ask(std::move(places), std::move(texts), kBound);
  if (!answer) {
    fail(answer.error().message);
    co_return;
  }
  const auto body = std::make_shared<std::string>(*std::move(answer));
  const auto vectors = std::make_shared<Result<std::vector<std::string>>>(Error("nothing"));
  offload_([body, vectors, count] { *vectors = vectors_in(*body, count); },
           [this, vectors, alive = std::weak_ptr(alive_)] {
             if (alive.expired()) return;
             if (!*vectors) return fail(vectors->error().message);
             keep(std::move(**vectors));
           });
}

bool MemoryVectors::is_of_other_size(std::size_t size) {
  if (model_.id == 0 || size == model_.size) {
    other_times_ = 0;
    return false;
  }
  other_times_ = size == other_size_ ? other_times_ + 1 : 1;
  other_size_ = size;
  if (other_times_ < kBelieved) {
    fail(fmt::format("vectors of {} numbers, where those before had {}", size, model_.size));
    return true;
  }
  log_warning("evidence",
              fmt::format("the vectors of {} have {} numbers now, no longer {}: all are made anew",
                          server_.name(), size, model_.size));
  model_ = VectorModel();
  other_times_ = 0;
  return false;
}

void MemoryVectors::keep(std::vector<std::string> vectors) {
  const std::size_t size = size_of_vector(vectors.front());
  if (is_of_other_size(size)) return;
  const auto model = std::make_shared<VectorModel>(model_);
  const auto sent = std::make_shared<std::vector<Wanted>>(
      queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(sending_));
  const bool is_last = queue_.size() == sending_;
  write(
      [model, sent, size, is_last, looked = looked_, name = server_.name(),
       packed = std::move(vectors)](Database& database) {
        if (model->id == 0) *model = put_vector_model(database, name, size);
        for (std::size_t i = 0; i < sent->size(); ++i) put_vector(database, model->id, (*sent)[i], packed[i]);
        if (is_last) set_looked_up_to(database, looked);
      },
      [this, model, sent] {
        if (std::exchange(model_.id, model->id) == model->id) return done(*sent);
        model_.size = model->size;
        // Not here: it waits for questions that are being answered.
        read([index = index_, model](Database&) { index->begin(model->id, model->size); },
             [this, sent] { done(*sent); });
      });
}

void MemoryVectors::done(const std::vector<Wanted>& sent) {
  for (const auto& one : sent) {
    queue_.pop_front();
    doubtful_.erase(one.row);
  }
  made_.add(sent.size());
  server_.note({});
  others_came_ = true;
  at_once_ = kTexts;
  patience_ = kFirstPatience;
  look();
}

void MemoryVectors::fail(const std::string& why) {
  failed_.add();
  server_.note(why);
  if (sending_ == 1 && !queue_.empty()) {
    const Wanted first = queue_.front();
    if (doubtful_.contains(first.row) && others_came_) return refuse();
    if (doubtful_.insert(first.row).second) others_came_ = false;
    queue_.pop_front();
    queue_.push_back(first);
  }
  at_once_ = 1;
  wait(std::exchange(patience_, std::min(patience_ * 2, kLongestPatience)));
}

void MemoryVectors::refuse() {
  refused_.add();
  const Wanted text = queue_.front();
  write([model = model_.id, text](Database& database) { put_vector(database, model, text, {}); },
        [this, row = text.row] {
          queue_.pop_front();
          doubtful_.erase(row);
          look();
        });
}

}  // namespace parley::evidence
