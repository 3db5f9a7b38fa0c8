#include "child/distant_services.hpp"

#include <boost/asio/post.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "child/frames.hpp"
#include "runtime/cell.hpp"

namespace parley::child {
namespace {

Json asking(const char* what) {
  Json head = Json::object();
  head.emplace("op", what);
  return head;
}

}  // namespace

Task<DistantKeeping::Answer> DistantKeeping::ask(DistantKeeping* self, Json head, std::string body) {
  const auto cell = std::make_shared<Cell<Answer>>();
  const std::uint64_t n = ++self->count_;
  std::erase_if(self->asked_, [](const auto& one) { return one.second.expired(); });
  self->asked_.emplace(n, cell);
  head.emplace("k", frame::kKeep);
  head.emplace("n", n);
  self->outlet_.send(head, body);
  Answer answer = co_await Cell<Answer>::wait(cell);
  if (answer->head.contains("misuse"))
    throw std::invalid_argument(answer->head.at("misuse").get<std::string>());
  if (answer->head.contains("failure")) throw StorageError(answer->head.at("failure").get<std::string>());
  co_return answer;
}

void DistantKeeping::kept(const Frame& answer) {
  const auto node = asked_.extract(answer.head.at("n").get<std::uint64_t>());
  if (node.empty()) return;
  if (const auto cell = node.mapped().lock()) cell->set(std::make_shared<const Frame>(answer));
}

Task<std::optional<StorageHost::Stored>> DistantKeeping::storage_get(StoragePlace place, std::string key) {
  Json head = asking("get");
  head.emplace("place", json_of(place));
  head.emplace("key", std::move(key));
  const Answer answer = co_await ask(this, std::move(head), std::string());
  if (!answer->head.contains("version")) co_return std::nullopt;
  co_return Stored(answer->body, answer->head.at("version").get<std::uint64_t>());
}

Task<std::map<std::string, std::string>> DistantKeeping::storage_all(StoragePlace place, std::string prefix) {
  Json head = asking("all");
  head.emplace("place", json_of(place));
  head.emplace("key", std::move(prefix));
  const Answer answer = co_await ask(this, std::move(head), std::string());
  co_return answer->head.at("values").get<std::map<std::string, std::string>>();
}

Task<StorageHost::Written> DistantKeeping::storage_write(StoragePlace place, std::string key,
                                                         std::optional<std::string> json,
                                                         std::optional<std::uint64_t> expect) {
  Json head = asking(json ? "put" : "erase");
  head.emplace("place", json_of(place));
  head.emplace("key", std::move(key));
  if (expect) head.emplace("expect", *expect);
  std::string body = json.value_or(std::string());
  const Answer answer = co_await ask(this, std::move(head), std::move(body));
  co_return Written(answer->head.at("done").get<bool>(), answer->head.at("version").get<std::uint64_t>());
}

Task<std::string> DistantKeeping::schedule_add(ScheduleRow row) {
  Json head = asking("add");
  head.emplace("row", json_of(row));
  const Answer answer = co_await ask(this, std::move(head), std::string());
  co_return answer->head.at("id").get<std::string>();
}

Task<bool> DistantKeeping::schedule_cancel(std::string, std::string id) {
  Json head = asking("cancel");
  head.emplace("id", std::move(id));
  const Answer answer = co_await ask(this, std::move(head), std::string());
  co_return answer->head.at("done").get<bool>();
}

Task<std::vector<Scheduled>> DistantKeeping::schedule_list(std::string, std::string name) {
  Json head = asking("list");
  head.emplace("name", std::move(name));
  const Answer answer = co_await ask(this, std::move(head), std::string());
  std::vector<Scheduled> all;
  for (const auto& one : answer->head.at("scheduled")) all.push_back(scheduled_from(one));
  co_return all;
}

// ---- requests to servers

void DistantHttp::begin(const std::string&, std::shared_ptr<HttpExchange> exchange) {
  boost::asio::post(loop_, [this, exchange = std::move(exchange)] {
    if (exchange->is_abandoned()) return;
    const std::uint64_t n = ++count_;
    exchanges_.emplace(n, exchange);
    Json head = json_of(exchange->request);
    head["k"] = frame::kHttp;
    head["n"] = n;
    outlet_.send(head, exchange->request.body);
    exchange->when_abandoned([this, n] {
      boost::asio::post(loop_, [this, n] {
        if (exchanges_.erase(n) > 0) outlet_.send({{"k", frame::kHttpOff}, {"n", n}});
      });
    });
  });
}

void DistantHttp::came(const Frame& piece) {
  const auto found = exchanges_.find(piece.head.at("n").get<std::uint64_t>());
  if (found == exchanges_.end()) return;
  const auto exchange = found->second;
  if (const int status = piece.head.at("status").get<int>(); status != 0)
    exchange->set_head(status, piece.head.at("headers").get<std::map<std::string, std::string>>());
  if (!piece.body.empty()) exchange->add(piece.body);
  if (piece.kind() != frame::kHttpEnd) return;
  exchanges_.erase(found);
  exchange->end(piece.head.at("problem").get<std::string>());
}

}  // namespace parley::child
