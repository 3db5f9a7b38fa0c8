#include "wordnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/interprocess/file_mapping.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace parley::dictionary {
namespace {

constexpr std::array<std::string_view, 4> kNames{"noun", "verb", "adj", "adv"};
constexpr std::size_t kMaxWord = 100;     // bytes; the longest of WordNet has 71
constexpr std::size_t kCommonSenses = 3;  // of a word, that count for what kind of thing it is

std::filesystem::path file(const std::filesystem::path& folder, std::string_view kind,
                           std::string_view name) {
  return folder / (kind == "exc" ? fmt::format("{}.exc", name) : fmt::format("{}.{}", kind, name));
}

boost::interprocess::mapped_region mapped(const std::filesystem::path& path) {
  using namespace boost::interprocess;
  try {
    mapped_region region(file_mapping(path.c_str(), read_only), read_only);
    region.advise(mapped_region::advice_random);
    return region;
  } catch (const interprocess_exception& problem) {
    throw std::runtime_error(fmt::format("{}: can't be read: {}", path.string(), problem.what()));
  }
}

std::string_view line_at(std::string_view text, std::size_t from) {
  return text.substr(from, text.find('\n', from) - from);
}

// As words stand in the files: lower case, '_' for spaces. Empty for what can't stand there.
std::string key_of(std::string_view word) {
  if (word.size() > kMaxWord) return {};
  std::string key;
  for (const char c : word) {
    if (c == ' ') {
      key.push_back('_');
    } else if (c > ' ' && c < '\x7f') {
      key.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    } else {
      return {};
    }
  }
  return key;
}

// "hot_dog(p)" → "hot dog"
std::string word_of(std::string word) {
  word.erase(std::min(word.find('('), word.size()));
  std::ranges::replace(word, '_', ' ');
  return word;
}

// The line that begins with `key` and a space, in a file whose lines are sorted by their bytes.
std::string_view find_line(std::string_view text, const std::string& key) {
  const auto first_word = [](std::string_view line) { return line.substr(0, line.find(' ')); };
  std::size_t low = 0;
  std::size_t high = text.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t before = middle == 0 ? std::string_view::npos : text.rfind('\n', middle - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const auto line = line_at(text, start);
    if (first_word(line) == key) return line;
    if (first_word(line) < std::string_view(key)) {
      low = start + line.size() + 1;
    } else {
      high = start;
    }
  }
  return {};
}

using Endings = std::vector<std::pair<std::string_view, std::string_view>>;

// The rules of morphy(7WN): what may be replaced by what at the end of a word.
Endings endings(PartOfSpeech part) {
  switch (part) {
    case PartOfSpeech::kNoun:
      return {{"s", ""},      {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
              {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
    case PartOfSpeech::kVerb:
      return {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
              {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
    case PartOfSpeech::kAdjective:
      return {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};
    default:
      return {};
  }
}

std::string definition(std::string_view gloss) {
  gloss = gloss.substr(0, gloss.find("; \""));
  const auto from = gloss.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return std::string(gloss.substr(from, gloss.find_last_not_of(" \n") - from + 1));
}

/// What stands in quotes behind the definition.
std::vector<std::string> examples(std::string_view gloss) {
  std::vector<std::string> found;
  for (auto begin = gloss.find("; \""); begin != std::string_view::npos; begin = gloss.find("; \"", begin)) {
    begin += 3;
    const auto end = gloss.find('"', begin);
    if (end == std::string_view::npos) break;
    found.emplace_back(gloss.substr(begin, end - begin));
    begin = end;
  }
  return found;
}

/// Whether a word stands in a text by itself, or as the beginning of a form of it ("insect" in "insects").
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    const bool ends = end >= text.size() || !is_letter(text[end]) ||
                      (text[end] == 's' && (end + 1 >= text.size() || !is_letter(text[end + 1])));
    if (begins && ends) return true;
  }
  return false;
}

Synset parsed(std::string_view line) {
  const auto bar = line.find(" | ");
  std::istringstream in{std::string(line.substr(0, bar))};
  std::string skipped;
  Synset synset;
  std::size_t count = 0;
  in >> skipped >> skipped >> skipped >> std::hex >> count >> std::dec;
  for (std::string word; count > 0 && in >> word >> skipped; --count) synset.words.push_back(word_of(word));
  in >> count;
  for (Pointer pointer; count > 0 && in >> pointer.symbol >> pointer.target >> pointer.part >> skipped;
       --count) {
    synset.pointers.push_back(pointer);
  }
  if (bar != std::string_view::npos) {
    synset.gloss = definition(line.substr(bar + 3));
    synset.examples = examples(line.substr(bar + 3));
  }
  return synset;
}

}  // namespace

bool WordNet::is_installed(const std::filesystem::path& folder) {
  return std::ranges::all_of(kNames, [&](std::string_view name) {
    std::error_code ignored;
    return std::filesystem::exists(file(folder, "index", name), ignored) &&
           std::filesystem::exists(file(folder, "data", name), ignored) &&
           std::filesystem::exists(file(folder, "exc", name), ignored);
  });
}

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path), region_(mapped(path)) {}

WordNet::WordNet(const std::filesystem::path& folder) {
  for (const std::string_view name : kNames) {
    files_.push_back(Files{MappedFile(file(folder, "index", name)), MappedFile(file(folder, "exc", name)),
                           MappedFile(file(folder, "data", name))});
  }
}

std::optional<Entry> WordNet::find(std::string_view word, PartOfSpeech part) const {
  const std::string key = key_of(word);
  if (key.empty()) return std::nullopt;
  std::istringstream in{std::string(find_line(files(part).index.text(), key))};
  Entry entry;
  entry.part = part;
  std::string skipped;
  std::size_t senses = 0;
  std::size_t pointers = 0;
  if (!(in >> entry.lemma >> skipped >> senses >> pointers)) return std::nullopt;
  for (; pointers > 0; --pointers) in >> skipped;
  in >> skipped >> entry.tagged;
  for (std::uint32_t offset = 0; senses > 0 && in >> offset; --senses) entry.senses.push_back(offset);
  if (entry.senses.empty()) return std::nullopt;
  entry.lemma = word_of(entry.lemma);
  return entry;
}

std::vector<Entry> WordNet::look_up(std::string_view word) const {
  std::vector<Entry> found;
  for (const PartOfSpeech part : kPartsOfSpeech) {
    if (auto entry = look_up(word, part)) found.push_back(*std::move(entry));
  }
  return found;
}

std::optional<Entry> WordNet::look_up(std::string_view word, PartOfSpeech part) const {
  if (auto entry = find(word, part)) return entry;
  const std::string key = key_of(word);
  return key.empty() ? std::nullopt : base_form(key, part);
}

std::optional<Entry> WordNet::base_form(const std::string& key, PartOfSpeech part) const {
  std::istringstream irregular{std::string(find_line(files(part).exceptions.text(), key))};
  std::string base;
  if (irregular >> base && irregular >> base) return find(base, part);
  for (const auto& [ending, instead] : endings(part)) {
    if (key.size() <= ending.size() || !key.ends_with(ending)) continue;
    const std::string stem = key.substr(0, key.size() - ending.size());
    if (auto entry = find(stem + std::string(instead), part)) return entry;
  }
  return std::nullopt;
}

Synset WordNet::synset(std::uint32_t offset, PartOfSpeech part) const {
  const MappedFile& data = files(part).data;
  const std::string_view text = data.text();
  const auto line = offset < text.size() ? line_at(text, offset) : std::string_view();
  // A synset begins with its own offset.
  if (!line.starts_with(fmt::format("{:08} ", offset))) {
    throw std::runtime_error(
        fmt::format("{}: no synset at byte {}; the database is broken, reinstall wordnet-base",
                    data.path().string(), offset));
  }
  return parsed(line);
}

std::vector<std::string> WordNet::noun_defined_by(const std::vector<std::string>& words) const {
  if (words.empty()) return {};
  const auto rarest = std::ranges::max_element(words, {}, &std::string::size);  // as far as length tells
  const std::string_view text = files(PartOfSpeech::kNoun).data.text();
  std::string_view best;
  std::size_t shortest = text.size();
  for (auto at = text.find(*rarest); at != std::string_view::npos; at = text.find(*rarest, at + 1)) {
    const auto line_end = std::min(text.find('\n', at), text.size());
    const auto line_begin = text.rfind('\n', at) + 1;  // npos + 1 is the beginning
    const std::string_view line = text.substr(line_begin, line_end - line_begin);
    const auto bar = line.find(" | ");
    const bool is_name = line.substr(0, bar).find(" @i ") != std::string_view::npos;  // "Antilles"
    if (bar != std::string_view::npos && !is_name) {
      const std::string meaning = definition(line.substr(bar + 3));
      const bool fits = std::ranges::all_of(words, [&](const auto& word) { return has_word(meaning, word); });
      if (fits && meaning.size() < shortest) {
        shortest = meaning.size();
        best = line;
      }
    }
    at = line_end;
  }
  return best.empty() ? std::vector<std::string>() : parsed(best).words;
}

bool WordNet::is_kind_of(const Entry& what, const Entry& kind) const {
  const std::size_t common = std::min(what.senses.size(), kCommonSenses);
  std::vector<std::uint32_t> open(what.senses.begin(),
                                  what.senses.begin() + static_cast<std::ptrdiff_t>(common));
  std::set<std::uint32_t> seen(open.begin(), open.end());
  while (!open.empty()) {
    const Synset synset = this->synset(open.back(), PartOfSpeech::kNoun);
    open.pop_back();
    for (const Pointer& pointer : synset.pointers) {
      if (pointer.symbol != "@" && pointer.symbol != "@i") continue;
      if (std::ranges::find(kind.senses, pointer.target) != kind.senses.end()) return true;
      if (seen.insert(pointer.target).second) open.push_back(pointer.target);
    }
  }
  return false;
}

}  // namespace parley::dictionary
