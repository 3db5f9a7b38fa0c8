#include "child/child_requests.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "child/frames.hpp"
#include "runtime/guard.hpp"

namespace parley::child {

void ChildRequests::take(const Frame& frame) {
  if (frame.kind() == frame::kHttp) return begin_http(frame);
  if (frame.kind() == frame::kKeep) {
    scope_.spawn(environment_->loop, keep(shared_from_this(), children_, frame));
    return;
  }
  const auto node = exchanges_.extract(frame.head.at("n").get<std::uint64_t>());
  if (node.empty()) return;
  node.mapped().job->cancel();
  node.mapped().exchange->abandon();
}

// ---- what lasts

Task<> ChildRequests::keep(std::shared_ptr<ChildRequests> self, std::uint64_t child, Frame frame) {
  Frame answer(Json::object(), std::string());
  try {
    answer = co_await self->kept(&frame);
  } catch (const std::invalid_argument& misuse) {
    answer.head.emplace("misuse", misuse.what());
  } catch (const Cancelled&) {
    co_return;
  } catch (...) {
    answer.head.emplace("failure", text_of_current_exception());
  }
  if (child != self->children_) co_return;
  answer.head.emplace("k", frame::kKept);
  answer.head.emplace("n", frame.head.at("n"));
  self->send_(answer.head, answer.body);
}

/// @param frame  outlives the wait
Task<Frame> ChildRequests::kept(const Frame* frame) {
  const Json& head = frame->head;
  const std::string& skill_id = environment_->owner;
  const auto op = head.at("op").get<std::string>();
  Frame answer(Json::object(), std::string());
  if (op == "add") {
    answer.head.emplace("id", co_await keeping_->schedule_add(row_from(head.at("row"), skill_id)));
    co_return answer;
  }
  if (op == "cancel") {
    answer.head.emplace("done",
                        co_await keeping_->schedule_cancel(skill_id, head.at("id").get<std::string>()));
    co_return answer;
  }
  if (op == "list") {
    const auto all = co_await keeping_->schedule_list(skill_id, head.at("name").get<std::string>());
    Json listed = Json::array();
    for (const auto& one : all) listed.push_back(json_of(one));
    answer.head.emplace("scheduled", std::move(listed));
    co_return answer;
  }
  StoragePlace place = place_from(head.at("place"), skill_id);
  auto key = head.at("key").get<std::string>();
  if (op == "get") {
    const auto found = co_await keeping_->storage_get(std::move(place), std::move(key));
    if (!found) co_return answer;
    answer.head.emplace("version", found->version);
    answer.body = found->json;
    co_return answer;
  }
  if (op == "all") {
    const auto found = co_await keeping_->storage_all(std::move(place), std::move(key));
    answer.head.emplace("values", found);
    co_return answer;
  }
  if (op != "put" && op != "erase")
    throw std::runtime_error(fmt::format("'{}' can't be asked of the store", op));
  std::optional<std::string> json;
  if (op == "put") json = frame->body;
  std::optional<std::uint64_t> expect;
  if (head.contains("expect")) expect = head.at("expect").get<std::uint64_t>();
  const auto written =
      co_await keeping_->storage_write(std::move(place), std::move(key), std::move(json), expect);
  answer.head.emplace("done", written.done);
  answer.head.emplace("version", written.version);
  co_return answer;
}

// ---- servers

void ChildRequests::begin_http(const Frame& frame) {
  const auto n = frame.head.at("n").get<std::uint64_t>();
  auto exchange = std::make_shared<HttpExchange>(request_from(frame.head, frame.body));
  http_.begin(environment_->owner, exchange);
  auto job = scope_.spawn(environment_->loop, read_http(shared_from_this(), n, exchange));
  if (job) exchanges_.emplace(n, Exchange(std::move(exchange), std::move(job)));
}

Task<> ChildRequests::read_http(std::shared_ptr<ChildRequests> self, std::uint64_t n,
                                std::shared_ptr<HttpExchange> exchange) {
  const auto head_of = [n, exchange](const char* kind) {
    const HttpResponse so_far = exchange->head();
    return Json{{"k", kind}, {"n", n}, {"status", so_far.status}, {"headers", so_far.headers}};
  };
  for (;;) {
    const auto piece = co_await HttpExchange::next(exchange);
    const auto found = self->exchanges_.find(n);
    if (found == self->exchanges_.end() || found->second.exchange != exchange) co_return;
    if (!piece) break;
    const Json head = head_of(frame::kHttpPiece);
    self->send_(head, *piece);
  }
  self->exchanges_.erase(n);
  // What of it names the request is added again where it is read.
  std::string problem = exchange->failure();
  const std::string named =
      fmt::format("{} {}: ", exchange->request.method, shown_url(exchange->request.url));
  if (problem.starts_with(named)) problem.erase(0, named.size());
  Json head = head_of(frame::kHttpEnd);
  head.emplace("problem", std::move(problem));
  self->send_(head, std::string_view());
}

void ChildRequests::drop() {
  ++children_;
  for (const auto& [n, one] : std::exchange(exchanges_, {})) {
    one.job->cancel();
    one.exchange->abandon();
  }
}

void ChildRequests::close(std::function<void()> then) {
  drop();
  scope_.close();
  scope_.when_idle(std::move(then));
}

}  // namespace parley::child
