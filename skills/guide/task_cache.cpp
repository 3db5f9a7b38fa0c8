#include "task_cache.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <parley/files.hpp>
#include <type_traits>

namespace parley::guide {
namespace fs = std::filesystem;

namespace {

/// Another number for another layout; the sizes change with most of what is changed in a task.
constexpr std::uint64_t kFormat = (std::uint64_t{1} << 32U) + sizeof(TaskMap) * 1000 + sizeof(Step);
constexpr std::size_t kLargestCache = std::size_t{256} << 20U;

class Packer {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::string out;

 private:
  template <class Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
  void put(Value value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(std::chrono::seconds value) { put(static_cast<std::int64_t>(value.count())); }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    out += text;
  }
  template <class Value>
  void put(const std::vector<Value>& list) {
    put(static_cast<std::uint32_t>(list.size()));
    for (const Value& one : list) put(one);
  }
  template <class Value>
  void put(const std::map<std::string, Value>& map) {
    put(static_cast<std::uint32_t>(map.size()));
    for (const auto& [key, value] : map) (*this)(key, value);
  }
  template <class Value>
  requires std::is_class_v<Value>
  void put(const Value& value) { members(*this, value); }
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  /// Nothing was missing, and nothing is left.
  bool is_whole() const { return good_ && left_.empty(); }
  bool has_more() const { return good_ && !left_.empty(); }

 private:
  template <class Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
  void get(Value& value) {
    if (good_ = good_ && left_.size() >= sizeof value; !good_) return;
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
  }
  void get(std::chrono::seconds& value) {
    std::int64_t seconds = 0;
    get(seconds);
    value = std::chrono::seconds(seconds);
  }
  void get(std::string& text) {
    const std::uint32_t size = count();
    if (!good_) return;
    text.assign(left_.substr(0, size));
    left_.remove_prefix(size);
  }
  template <class Value>
  void get(std::vector<Value>& list) {
    for (std::uint32_t left = count(); good_ && left > 0; --left) get(list.emplace_back());
  }
  template <class Value>
  void get(std::map<std::string, Value>& map) {
    for (std::uint32_t left = count(); good_ && left > 0; --left) {
      std::string key;
      get(key);
      get(map[key]);
    }
  }
  template <class Value>
  requires std::is_class_v<Value>
  void get(Value& value) { members(*this, value); }

  /// Of things that take a byte or more each.
  std::uint32_t count() {
    std::uint32_t number = 0;
    get(number);
    good_ = good_ && number <= left_.size();
    return number;
  }

  std::string_view left_;
  bool good_ = true;
};

template <class Value, class Of>
concept Is = std::is_same_v<std::remove_const_t<Value>, Of>;

template <class Archive>
void members(Archive& archive, Is<Substitute> auto& one) {
  archive(one.name, one.amount, one.note);
}
template <class Archive>
void members(Archive& archive, Is<Requirement> auto& one) {
  archive(one.name, one.amount, one.tool, one.substitutes);
}
template <class Archive>
void members(Archive& archive, Is<Rule> auto& one) {
  archive(one.kind, one.name, one.parts);
}
template <class Archive>
void members(Archive& archive, Is<After> auto& one) {
  archive(one.kind, one.ids);
}
template <class Archive>
void members(Archive& archive, Is<Step> auto& one) {
  archive(one.id, one.say, one.details, one.time, one.timer, one.needs, one.after, one.when, one.picture,
          one.video);
}
template <class Archive>
void members(Archive& archive, Is<Condition> auto& one) {
  archive(one.ask, one.by_default);
}
template <class Archive>
void members(Archive& archive, Is<TaskMap> auto& one) {
  archive(one.id, one.lang, one.title, one.summary, one.category, one.source, one.picture, one.domain,
          one.tags, one.serves, one.time, one.difficulty, one.requirements, one.steps, one.conditions,
          one.tips, one.jokes, one.facts, one.order);
}

/// FNV-1a: whether a file is what was written.
std::uint64_t sum_of(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037U;
  for (const char one : bytes) sum = (sum ^ static_cast<unsigned char>(one)) * 1099511628211U;
  return sum;
}

}  // namespace

std::string pack(const TaskMap& task) {
  Packer packer;
  packer(task);
  return std::move(packer.out);
}

std::optional<TaskMap> unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  TaskMap task;
  unpacker(task);
  return unpacker.is_whole() ? std::optional(std::move(task)) : std::nullopt;
}

TaskCache::TaskCache(fs::path file) : file_(std::move(file)) {
  std::error_code ignored;
  if (file_.empty() || !fs::exists(file_, ignored)) return;
  const auto bytes = read_file(file_, kLargestCache);
  constexpr std::size_t head = 2 * sizeof(std::uint64_t);
  if (!bytes || bytes->size() < head) return;
  std::uint64_t format = 0, sum = 0;
  Unpacker(std::string_view(*bytes).substr(0, head))(format, sum);
  const std::string_view body = std::string_view(*bytes).substr(head);
  if (format != kFormat || sum != sum_of(body)) return;
  Unpacker entries(body);
  while (entries.has_more()) {
    std::string path;
    Entry entry;
    entries(path, entry.size, entry.time, entry.packed);
    before_.emplace(std::move(path), std::move(entry));
  }
}

std::optional<TaskCache::Entry> TaskCache::stat(const fs::path& task_file) {
  std::error_code failure;
  Entry entry;
  entry.size = fs::file_size(task_file, failure);
  if (failure) return std::nullopt;
  entry.time = fs::last_write_time(task_file, failure).time_since_epoch().count();
  return failure ? std::nullopt : std::optional(std::move(entry));
}

std::optional<TaskMap> TaskCache::find(const fs::path& task_file) {
  const auto kept = before_.find(task_file.string());
  if (kept == before_.end()) return std::nullopt;
  const auto there = stat(task_file);
  if (!there || there->size != kept->second.size || there->time != kept->second.time) return std::nullopt;
  auto task = unpack(kept->second.packed);
  if (task) now_.insert(before_.extract(kept));
  return task;
}

void TaskCache::keep(const fs::path& task_file, const TaskMap& task) {
  if (file_.empty()) return;
  auto entry = stat(task_file);
  if (!entry) return;
  entry->packed = pack(task);
  now_.insert_or_assign(task_file.string(), std::move(*entry));
  is_new_ = true;
}

std::optional<std::string> TaskCache::write() const {
  if (file_.empty() || now_.size() < kLeast || (!is_new_ && before_.empty())) return std::nullopt;
  Packer body;
  for (const auto& [path, entry] : now_) body(path, entry.size, entry.time, entry.packed);
  Packer head;
  head(kFormat, sum_of(body.out));
  std::error_code failure;
  fs::create_directories(file_.parent_path(), failure);
  // Whoever reads it meanwhile has the whole of one or of the other.
  const fs::path beside = fs::path(file_).concat(".new");
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << head.out << body.out;
  out.close();
  if (out) fs::rename(beside, file_, failure);
  if (out && !failure) return std::nullopt;
  std::error_code ignored;
  fs::remove(beside, ignored);
  return fmt::format("{}: can't be written; all tasks are read anew at the next start", file_.string());
}

}  // namespace parley::guide
