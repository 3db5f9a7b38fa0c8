#include <cstdlib>
#include <nlohmann/json.hpp>
#include <parley/files.hpp>
#include <parley/language_model.hpp>
#include <stdexcept>

namespace parley {
namespace {

constexpr std::size_t kLongestKey = std::size_t{16} << 10U;

std::string key_in_file(const std::string& file) {
  if (!std::filesystem::path(file).is_absolute())
    throw std::runtime_error("'key_file' is '" + file + "'; it must be the whole path, from / on");
  auto text = read_file(file, kLongestKey);
  if (!text) throw std::runtime_error("'key_file' names " + file + ", which " + text.error().message);
  const std::string key = text->substr(0, text->find_first_of("\r\n"));
  if (key.empty()) throw std::runtime_error("'key_file' names " + file + ", whose first line is empty");
  return key;
}

std::string key_in_environment(const std::string& variable) {
  const char* const key = std::getenv(variable.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (key == nullptr || *key == '\0')
    throw std::runtime_error("'key_variable' names " + variable + ", which is not set in the environment");
  return key;
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string error_in(const Json& reply) {
  const auto found = reply.find("error");
  if (found == reply.end() || found->is_null()) return {};
  std::string text = found->is_string() ? found->get<std::string>() : text_at(*found, "message");
  return text.empty() ? "an error without words" : text;
}

}  // namespace

ModelEndpoint::ModelEndpoint(std::string url, std::string model, std::string key)
    : url_(std::move(url)), model_(std::move(model)), key_(std::move(key)) {
  if (!url_.starts_with("http://") && !url_.starts_with("https://"))
    throw std::invalid_argument("'url' is '" + url_ + "'; it must begin with http:// or https://");
  while (url_.ends_with('/')) url_.pop_back();
}

HttpRequest ModelEndpoint::chat(Json body) const {
  return post("/chat/completions", std::move(body));
}

HttpRequest ModelEndpoint::embeddings(Json body) const {
  return post("/embeddings", std::move(body));
}

HttpRequest ModelEndpoint::post(const char* path, Json body) const {
  if (!model_.empty()) body["model"] = model_;
  return with_key(HttpRequest::post(url_ + path, body.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

HttpRequest ModelEndpoint::models() const {
  return with_key(HttpRequest::get(url_ + "/models"));
}

HttpRequest ModelEndpoint::with_key(HttpRequest request) const {
  if (!key_.empty()) request.headers.emplace_back("Authorization", "Bearer " + key_);
  return request;
}

std::string model_key(const std::string& variable, const std::string& file) {
  if (!variable.empty() && !file.empty())
    throw std::runtime_error(
        "'key_variable' and 'key_file' both say where the key is; leave one of them out");
  if (!file.empty()) return key_in_file(file);
  return variable.empty() ? std::string() : key_in_environment(variable);
}

Result<Json> chat_part(const Json& reply) {
  if (!reply.is_object()) return Json();
  if (std::string error = error_in(reply); !error.empty()) return Error(std::move(error));
  const auto choices = reply.find("choices");
  if (choices == reply.end() || !choices->is_array() || choices->empty()) return Json();
  const Json& choice = choices->front();
  for (const char* key : {"delta", "message"}) {
    const auto part = choice.find(key);
    if (part != choice.end()) return Result<Json>(*part);
  }
  return Json();
}

bool ModelHealth::is_as(const Result<HttpResponse>& models) {
  if (!models) return is_down(models.error().message);
  // A server that has no list of models is there all the same.
  if (models->ok() || models->status == 404 || models->status == 405) return is_up();
  return is_down("HTTP status " + std::to_string(models->status));
}

bool ModelHealth::change(State state, std::string why) {
  reason_ = std::move(why);
  return std::exchange(state_, state) != state;
}

}  // namespace parley
