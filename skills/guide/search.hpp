#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search_words.hpp"
#include "task.hpp"

namespace parley::guide {

/// Finds tasks of one language by what somebody says. Immutable once it is made.
class Search {
 public:
  /// @param tasks  must outlive this, and stay where they are
  Search(const std::vector<TaskMap>& tasks, const SearchWords& how);

  struct Hit {
    Hit(std::size_t of, double how_well, bool by_name) : task(of), score(how_well), named(by_name) {}
    std::size_t task;  ///< Its index.
    double score;      ///< From 0 to 1: how much of what was said it has, and where.
    bool named;        ///< All that was said is in its title, tags or category.
  };
  /// The best first; none that does not fit. Filters without words give all tasks that pass them.
  /// @param domain  nothing: any
  std::vector<Hit> find(const Wanted& wanted, std::optional<Domain> domain, std::size_t most = 50) const;
  std::vector<Hit> find(const std::string& text, std::optional<Domain> domain, std::size_t most = 50) const;

  /// The words of a text that are in the title, the tags or the category of a task; the others tell a story.
  std::string naming_words(const std::string& text) const;
  /// The task that all of a text names, the best one of several; nothing: none is named.
  std::optional<Hit> named(const std::string& text) const;
  /// The task that a story is about: by two words at least that name it, one of them hardly any other, and
  /// much more than by those that name the next one. Its index; nothing: none.
  /// @param trouble  its words that say what is wrong: where these name tasks, it is one of them
  std::optional<std::size_t> told_of(const std::string& text, const std::string& trouble) const;
  /// Whether some task needs what all of a text says.
  bool is_required(const std::string& text) const;
  /// Whether a text names one task, and no other.
  bool is_unique(const std::string& text) const;

 private:
  struct Posting {
    std::uint32_t task;
    float weight;  ///< Of the best field it is in, from 0 to 1.
  };
  using Postings = std::vector<Posting>;

  void add(const std::string& text, float weight, std::map<std::string, float, std::less<>>& terms) const;
  const Postings* postings(const std::string& stem) const;
  const Postings* nearest(const std::string& stem) const;
  double rarity(std::size_t found_in) const;
  /// What a stem stands for, maybe with a slip in it if it is long; null: nothing that names a task.
  const Postings* naming(const std::string& stem) const;
  bool passes(std::size_t at, const Filters& filters) const;
  /// The tasks that any word of a text names.
  std::set<std::size_t> tasks_named_by(const std::string& text) const;

  const std::vector<TaskMap>& tasks_;
  const SearchWords& how_;
  std::unordered_map<std::string, Postings> index_;
  std::unordered_map<std::string, std::vector<std::size_t>>
      required_;  // stem of a requirement → tasks, sorted
  std::map<std::size_t, std::vector<const std::string*>> by_length_;  // stems, for slips of the keyboard
};

/// Below this nothing fits.
inline constexpr double kFits = 0.45;

}  // namespace parley::guide
