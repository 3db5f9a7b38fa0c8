#include "evidence/vector_index.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>

#include "evidence/object.hpp"
#include "evidence/vectors.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr const char* kColumns =
    "SELECT v.row, v.bytes, o.time, o.own_domain, o.workspace_domain, o.shared_domain, o.session_id, "
    "o.agent_id, o.memory_type, o.cold FROM vector v JOIN object o ON o.row = v.row WHERE v.model = ? ";
constexpr int kBytes = 1;

std::size_t hash_of(const std::string& name) {
  return std::hash<std::string>()(name);
}

std::uint8_t kind_of(const std::string& memory_type) {
  const auto* const found = std::find(kMemoryTypes.begin(), kMemoryTypes.end(), memory_type);
  return static_cast<std::uint8_t>(found - kMemoryTypes.begin());
}

/// Which of kMemoryTypes are asked for, a bit for each.
unsigned kinds_of(const std::vector<std::string>& tokens) {
  if (tokens.empty()) return ~0U;
  unsigned kinds = 0;
  for (std::size_t i = 0; i < kMemoryTypes.size(); ++i) {
    for (const auto& token : tokens) {
      if (token == type_token("memory") || token == memory_token(kMemoryTypes.at(i))) kinds |= 1U << i;
    }
  }
  return kinds;
}

}  // namespace

void VectorIndex::begin(std::int64_t model, std::size_t size) {
  const std::lock_guard lock(mutex_);
  model_ = model;
  size_ = size;
  stride_ = padded(size);
  loaded_up_to_ = 0;
  followed_ = -1;
  chunks_.clear();
  entries_.clear();
  by_row_.clear();
  by_domain_.clear();
  count_ = 0;
  loaded_ = size == 0;
}

bool VectorIndex::load(Database& database, std::size_t rows) {
  // What is read is as new as what follow() has seen: the lock comes first.
  const std::lock_guard lock(mutex_);
  if (followed_ < 0) followed_ = database.number("SELECT ifnull(max(id), 0) FROM vector_change");
  static const std::string* const sql =
      new std::string(std::string(kColumns) + "AND v.row > ? ORDER BY v.row LIMIT ?");
  Statement found = database.query(*sql);
  found.bind(model_).bind(loaded_up_to_).bind(static_cast<std::int64_t>(rows));
  std::size_t count = 0;
  for (; found.step(); ++count) {
    loaded_up_to_ = found.number(0);
    take(found);
  }
  count_ = by_row_.size();
  loaded_ = count < rows;
  return count == rows;
}

void VectorIndex::take(const Statement& found) {
  Entry entry;
  entry.row = found.number(0);
  entry.time = found.number(2);
  entry.own = found.number(3);
  entry.workspace = found.number(4);
  entry.shared = found.number(5);
  entry.session = hash_of(found.text(6));
  entry.agent = hash_of(found.text(7));
  entry.kind = kind_of(found.text(8));
  entry.is_cold = found.number(9) != 0;
  put(entry, found.bytes(kBytes));
}

std::int64_t VectorIndex::follow(Database& database) {
  const std::int64_t last = database.number("SELECT ifnull(max(id), 0) FROM vector_change");
  {
    const std::shared_lock lock(mutex_);
    if (followed_ < 0 || followed_ >= last) return followed_;
  }
  const std::lock_guard lock(mutex_);
  Statement changes = database.query("SELECT DISTINCT row FROM vector_change WHERE id > ?");
  changes.bind(followed_);
  while (changes.step()) {
    const std::int64_t row = changes.number(0);
    drop(row);
    static const std::string* const sql = new std::string(std::string(kColumns) + "AND v.row = ?");
    Statement found = database.query(*sql);
    if (found.bind(model_).bind(row).step()) take(found);
  }
  followed_ = std::max(followed_, last);
  count_ = by_row_.size();
  if (entries_.size() > by_row_.size() + by_row_.size() / 4 + kOfChunk) compact();
  return followed_;
}

void VectorIndex::put(const Entry& entry, std::string_view packed) {
  if (size_of_vector(packed) != size_ || size_ == 0) return;
  drop(entry.row);
  if (by_row_.size() >= most_) drop(by_row_.begin()->first);
  const std::size_t at = entries_.size();
  // NOLINTNEXTLINE(*-avoid-c-arrays)
  if (at % kOfChunk == 0) chunks_.push_back(std::make_unique<std::int8_t[]>(kOfChunk * stride_));
  entries_.push_back(entry);
  std::memcpy(&entries_.back().scale, packed.data(), sizeof entry.scale);
  std::memcpy(values_of(at), packed.data() + sizeof entry.scale, size_);
  by_row_[entry.row] = at;
  enlist(at);
}

void VectorIndex::enlist(std::size_t at) {
  const Entry& entry = entries_[at];
  for (const std::int64_t domain : {entry.own, entry.workspace, entry.shared}) {
    if (domain != 0) by_domain_[domain].push_back(static_cast<std::uint32_t>(at));
  }
}

void VectorIndex::drop(std::int64_t row) {
  const auto found = by_row_.find(row);
  if (found == by_row_.end()) return;
  std::fill_n(values_of(found->second), stride_, std::int8_t{0});
  entries_[found->second] = Entry();
  by_row_.erase(found);
}

void VectorIndex::compact() {
  std::size_t to = 0;
  by_domain_.clear();
  for (std::size_t from = 0; from < entries_.size(); ++from) {
    if (entries_[from].own == 0) continue;
    if (from != to) {
      entries_[to] = entries_[from];
      std::memcpy(values_of(to), values_of(from), stride_);
    }
    by_row_[entries_[to].row] = to;
    enlist(to++);
  }
  entries_.resize(to);
  chunks_.resize((to + kOfChunk - 1) / kOfChunk);
}

struct VectorIndex::Place {
  explicit Place(const Domain& domain)
      : id(std::stoll(domain.id)),
        of_one_agent(domain.opened == 0 && !domain.agent_id.empty()),
        agent(hash_of(domain.agent_id)) {}
  std::int64_t id;
  bool of_one_agent;
  std::size_t agent;
};

bool VectorIndex::is_within(const Entry& entry, const Place& place, const Bounds& bounds, unsigned kinds) {
  const bool is_there = entry.own == place.id || entry.workspace == place.id || entry.shared == place.id;
  return is_there && (!place.of_one_agent || entry.agent == place.agent) &&
         (kinds & (1U << entry.kind)) != 0 && entry.time >= bounds.from && entry.time <= bounds.to &&
         (bounds.cold || !entry.is_cold);
}

VectorIndex::Near VectorIndex::nearest(const Bounds& bounds, std::string_view vector,
                                       std::size_t most) const {
  Near near;
  const std::shared_lock lock(mutex_);
  if (size_of_vector(vector) != size_ || size_ == 0) return near;
  const Numbers asked(vector);
  const unsigned kinds = kinds_of(bounds.kinds);
  const std::size_t session = hash_of(bounds.session_id);
  const std::vector<Place> places(bounds.domains.begin(), bounds.domains.end());
  auto& best = near.rows;  // a heap, the farthest on top
  for (auto place = places.begin(); place != places.end(); ++place) {
    const auto list = by_domain_.find(place->id);
    if (list == by_domain_.end()) continue;
    for (const std::uint32_t at : list->second) {
      const Entry& entry = entries_[at];
      if (!is_within(entry, *place, bounds, kinds)) continue;
      if (!bounds.session_id.empty() && entry.session != session) continue;
      const auto has_it = [&](const Place& other) { return is_within(entry, other, bounds, kinds); };
      if (std::any_of(places.begin(), place, has_it)) continue;
      ++near.compared;
      const float cosine = static_cast<float>(product(values_of(at), asked.values.data(), stride_)) *
                           entry.scale * asked.scale;
      const std::pair<float, std::int64_t> one(cosine, entry.row);
      if (best.size() == most && one <= best.front()) continue;
      if (best.size() == most) {
        std::pop_heap(best.begin(), best.end(), std::greater<>());
        best.pop_back();
      }
      best.push_back(one);
      std::push_heap(best.begin(), best.end(), std::greater<>());
    }
  }
  std::sort(best.begin(), best.end(), std::greater<>());
  return near;
}

}  // namespace parley::evidence
