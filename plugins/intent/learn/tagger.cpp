#include "learn/tagger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <parley/give_turn.hpp>

namespace parley::intent {
namespace {

constexpr std::size_t kLeastRounds = 4, kMostRounds = 40;
constexpr std::size_t kSteps = 2500;  // about, where so few sentences would take more rounds
constexpr float kRate = 0.2F;
constexpr float kSlope = 1;           // where AdaGrad begins
constexpr float kNothing = 0.002F;    // a gradient not worth a step
constexpr float kImpossible = 1e-7F;  // a likelihood
constexpr float kKnown = 0.05F;       // all gradients below: the sentence need not be asked for a while…
constexpr std::size_t kAskAgain = 4;  // …of so many rounds
constexpr std::size_t kKeys = 16;     // of a word, about
constexpr std::uint64_t kOpen = 3, kBefore = 5, kBehind = 7, kNumber = 9;  // not words

std::string_view letters_of(std::string_view word) noexcept {
  return word.substr(word.starts_with(kOpenWord) ? 1 : 0);
}
std::string_view head(std::string_view word) {
  return word.substr(0, 3);
}
std::string_view tail(std::string_view word, std::size_t length = 3) {
  return word.substr(word.size() > length ? word.size() - length : 0);
}

/// Adds to each sum its row of `table` for every value, values next to nothing left out.
void add_products(const float* values, const std::vector<float>& table, std::size_t width, float* sums) {
  for (std::size_t i = 0; i < width; ++i) {
    if (values[i] < kImpossible) continue;
    const float* const row = table.data() + i * width;
    for (std::size_t j = 0; j < width; ++j) sums[j] += values[i] * row[j];
  }
}

/// @return what the sum was
float scale_to_one(float* values, std::size_t count) {
  const float sum = std::accumulate(values, values + count, 0.0F);
  for (std::size_t i = 0; sum > 0 && i < count; ++i) values[i] /= sum;
  return sum;
}

/// What listed values tell of their words; one within a longer one of the same slot tells nothing.
/// @param terms  of the words, two of them before the first
void add_listed(std::span<const Gazetteer::Hit> listed, const std::vector<std::uint64_t>& terms,
                std::size_t words, std::vector<Tagger::Key>& found) {
  for (const Gazetteer::Hit& hit : listed) {
    if (hit.is_synonym) continue;
    const bool longest = std::none_of(listed.begin(), listed.end(), [&hit](const Gazetteer::Hit& other) {
      return other.name == hit.name && !other.is_synonym && other.begin <= hit.begin &&
             other.end >= hit.end && other.end - other.begin > hit.end - hit.begin;
    });
    if (!longest) continue;
    for (std::size_t i = hit.begin; i < hit.end; ++i) {
      const std::uint64_t part = i == hit.begin ? 101 : 102;
      found.emplace_back(i, hash_of(part, hit.name));
      found.emplace_back(i, hash_of(hash_of(part, hit.name), i + 1 == hit.end ? 1 : 2));
    }
    const std::uint64_t before = terms[hit.begin + 1];
    found.emplace_back(hit.begin, hash_of(hash_of(103, hit.name), before));
    if (hit.end < words) found.emplace_back(hit.end, hash_of(104, hit.name));
  }
}

/// The listed values that are in a sentence, without those that are to be found by where they stand.
std::vector<Gazetteer::Hit> listed_in(const Sampled& sentence, const Gazetteer& gazetteer) {
  auto listed = gazetteer.find(sentence.words);
  for (const SlotSpan& span : sentence.slots) {
    if (!span.is_hidden) continue;
    std::erase_if(listed, [&span](const Gazetteer::Hit& hit) {
      return hit.begin == span.begin && hit.end == span.end && hit.name == hash_of(span.slot);
    });
  }
  return listed;
}

}  // namespace

std::vector<Tagger::Key> Tagger::keys_of(std::span<const std::string> words,
                                         std::span<const Gazetteer::Hit> listed, const Vocabulary& known) {
  std::vector<std::uint64_t> terms{kBefore, kBefore};
  for (const std::string& word : words) {
    const std::uint64_t hash = hash_of(word);
    const std::string_view letters = letters_of(word);
    const bool is_number = !letters.empty() && letters.front() >= '0' && letters.front() <= '9';
    terms.push_back(is_number ? kNumber : known.contains(hash) ? hash : kOpen);
  }
  terms.insert(terms.end(), {kBehind, kBehind});
  std::vector<Key> found;
  found.reserve(words.size() * kKeys);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t* at = terms.data() + i + 2;
    std::uint64_t number = 0;
    for (const std::uint64_t key :
         {std::uint64_t{1}, at[0], at[-1], at[1], at[-2], at[2], hash_of(at[-1], at[0]),
          hash_of(at[0], at[1]), hash_of(at[-2], at[-1]), hash_of(at[1], at[2]), hash_of(at[-1], at[1])}) {
      found.emplace_back(i, hash_of(++number, key));
    }
    const std::string_view letters = letters_of(words[i]);
    if (letters.empty()) continue;
    found.emplace_back(i, hash_of(++number, hash_of(head(letters))));
    found.emplace_back(i, hash_of(++number, hash_of(tail(letters))));
    found.emplace_back(i, hash_of(++number, hash_of(tail(letters, 2))));
  }
  add_listed(listed, terms, words.size(), found);
  return found;
}

bool Tagger::may_follow(Label before, Label label) noexcept {
  if (label == 0 || label % 2 == 1) return true;
  return before == label || before + 1 == label;
}

void Tagger::learn(std::span<const Sampled> sentences, const Gazetteer& gazetteer, const Vocabulary& known,
                   const std::atomic<bool>& abandoned) {
  *this = Tagger();
  for (const Sampled& sentence : sentences) {
    for (const SlotSpan& span : sentence.slots) {
      if (std::find(slots_.begin(), slots_.end(), span.slot) == slots_.end()) slots_.push_back(span.slot);
    }
  }
  if (slots_.empty()) return;
  std::vector<Lesson> lessons;
  lessons.reserve(sentences.size());
  for (const Sampled& sentence : sentences) lessons.push_back(lesson(sentence, gazetteer, known));
  weights_.assign(rows_.size() * labels(), 0);
  transitions_.assign(labels() * labels(), 0);
  slopes_.assign(weights_.size(), kSlope);
  transition_slopes_.assign(transitions_.size(), kSlope);
  rounds(std::move(lessons), abandoned);
  learnt_ = CompactWeights(rows_.keys(), weights_, labels());
  rows_ = KeyTable();
  for (auto* const numbers : {&weights_, &slopes_, &transition_slopes_}) *numbers = std::vector<float>();
}

void Tagger::rounds(std::vector<Lesson> lessons, const std::atomic<bool>& abandoned) {
  Dice dice(lessons.size());
  Beliefs made;
  made.moves.resize(transitions_.size());
  made.turned.resize(transitions_.size());
  for (std::size_t place = 0; place < transitions_.size(); ++place) believe_move(place, made);
  const std::size_t most =
      std::clamp(kSteps / std::max<std::size_t>(lessons.size(), 1), kLeastRounds, kMostRounds);
  for (std::size_t round = 0; round < most; ++round) {
    shuffle(lessons, dice);
    const bool asks_all = round % kAskAgain == 0;
    bool calm = true;
    for (Lesson& next : lessons) {
      if (abandoned) return;
      give_turn();
      if (next.known && !asks_all) continue;
      next.known = improve(next, made, kRate) < kKnown;
      calm = calm && next.known;
    }
    if (calm && asks_all) break;
  }
}

Tagger::Lesson Tagger::lesson(const Sampled& sentence, const Gazetteer& gazetteer, const Vocabulary& known) {
  Lesson made;
  const auto keys = keys_of(sentence.words, listed_in(sentence, gazetteer), known);
  made.traits.reserve(keys.size());
  for (const Key& key : keys) made.traits.emplace_back(key.word, rows_.add(key.hash));
  made.labels.assign(sentence.words.size(), 0);
  for (const SlotSpan& span : sentence.slots) {
    const auto slot = std::find(slots_.begin(), slots_.end(), span.slot) - slots_.begin();
    const auto first = static_cast<Label>(1 + 2 * slot);
    for (std::size_t i = span.begin; i < span.end; ++i) made.labels[i] = i == span.begin ? first : first + 1;
  }
  return made;
}

void Tagger::step(std::vector<float>& weights, std::vector<float>& slopes, std::size_t place, float gradient,
                  float rate) {
  slopes[place] += gradient * gradient;
  weights[place] += rate * gradient / std::sqrt(slopes[place]);
}

/// Adds the weights of what the words have.
/// @param sums  by word, then by label
void Tagger::emit(const Traits& traits, std::vector<float>& sums) const {
  const std::size_t width = labels();
  for (const Trait& trait : traits) {
    float* const own = sums.data() + trait.word * width;
    const float* const weights = weights_.data() + trait.row * width;
    for (std::size_t label = 0; label < width; ++label) own[label] += weights[label];
  }
}

/// Notes down how likely a label is behind another, as the transitions have it now.
void Tagger::believe_move(std::size_t place, Beliefs& made) const {
  const std::size_t from = place / labels(), to = place % labels();
  const bool may = may_follow(static_cast<Label>(from), static_cast<Label>(to));
  made.moves[place] = may ? std::exp(transitions_[place]) : 0;
  made.turned[to * labels() + from] = made.moves[place];
}

/// How likely it is to be at each label, by what comes before and by what comes behind; each word's to a
/// scale of its own. Labels that are next to impossible are passed over, and mostly all but a few are.
void Tagger::believe(const Lesson& lesson, Beliefs& made) const {
  const std::size_t width = labels(), length = lesson.labels.size();
  for (const std::size_t place : made.moved) believe_move(place, made);
  made.moved.clear();
  for (auto* const sums : {&made.own, &made.before, &made.after}) sums->assign(length * width, 0);
  emit(lesson.traits, made.own);
  made.scales.resize(length);
  for (std::size_t i = 0; i < length; ++i) {
    float* const own = made.own.data() + i * width;
    float* const here = made.before.data() + i * width;
    const float most = *std::max_element(own, own + width);
    for (std::size_t to = 0; to < width; ++to) own[to] = std::exp(own[to] - most);
    if (i == 0) {
      std::copy_n(made.moves.data(), width, here);  // the utterance begins after no slot
    } else {
      add_products(here - width, made.moves, width, here);
    }
    for (std::size_t to = 0; to < width; ++to) here[to] *= own[to];
    made.scales[i] = scale_to_one(here, width);
  }
  std::fill(made.after.end() - static_cast<std::ptrdiff_t>(width), made.after.end(), 1.0F);
  made.next.resize(width);
  for (std::size_t i = length - 1; i-- > 0;) {
    float* const here = made.after.data() + i * width;
    for (std::size_t to = 0; to < width; ++to)
      made.next[to] = made.own[(i + 1) * width + to] * here[width + to];
    add_products(made.next.data(), made.turned, width, here);
    scale_to_one(here, width);
  }
}

/// How likely a word's labels are, and how far that is from what it should be.
/// @return how far the farthest is
float Tagger::compare(const Lesson& lesson, Beliefs& made, std::size_t i) const {
  const std::size_t width = labels();
  float* const likely = made.likely.data() + i * width;
  for (std::size_t to = 0; to < width; ++to)
    likely[to] = made.before[i * width + to] * made.after[i * width + to];
  made.scales[i] *= scale_to_one(likely, width);
  float worst = 0;
  for (std::size_t to = 0; to < width; ++to) {
    const float wrong = (lesson.labels[i] == to ? 1.0F : 0.0F) - likely[to];
    made.wrong[i * width + to] = std::abs(wrong) < kNothing ? 0 : wrong;
    worst = std::max(worst, std::abs(wrong));
  }
  made.is_wrong[i] = worst >= kNothing;
  return worst;
}

/// One step towards a higher likelihood of the lesson's labels, by forward and backward probabilities.
/// @return how far the farthest label was from what it should be
float Tagger::improve(const Lesson& lesson, Beliefs& made, float rate) {
  const std::size_t width = labels(), length = lesson.labels.size();
  believe(lesson, made);
  made.likely.resize(length * width);
  made.wrong.resize(length * width);
  made.is_wrong.resize(length);
  float worst = 0;
  for (std::size_t i = 0; i < length; ++i) {
    worst = std::max(worst, compare(lesson, made, i));
    if (i > 0) improve_transitions(lesson, made, i, rate);
  }
  for (const Trait& trait : lesson.traits) {
    if (!made.is_wrong[trait.word]) continue;
    const float* const wrong = made.wrong.data() + trait.word * width;
    for (std::size_t to = 0; to < width; ++to) {
      if (wrong[to] != 0) step(weights_, slopes_, trait.row * width + to, wrong[to], rate);
    }
  }
  return worst;
}

/// As improve(), for the step to the word at `i`, from the labels that are likely before it or should be.
void Tagger::improve_transitions(const Lesson& lesson, Beliefs& made, std::size_t i, float rate) {
  const std::size_t width = labels();
  if (made.scales[i] == 0) return;
  const float* const own = made.own.data() + i * width;
  const float* const after = made.after.data() + i * width;
  for (Label from = 0; from < width; ++from) {
    const bool is_right = from == lesson.labels[i - 1];
    if (!is_right && made.likely[(i - 1) * width + from] < kNothing) continue;
    const float before = made.before[(i - 1) * width + from] / made.scales[i];
    for (std::size_t to = 0; to < width; ++to) {
      const std::size_t place = from * width + to;
      const float gradient = (is_right && lesson.labels[i] == to ? 1.0F : 0.0F) -
                             before * made.moves[place] * own[to] * after[to];
      if (std::abs(gradient) < kNothing) continue;
      step(transitions_, transition_slopes_, place, gradient, rate);
      made.moved.push_back(place);
    }
  }
}

/// Viterbi.
/// @param own  what the words have for each label: by word, then by label
std::vector<Tagger::Label> Tagger::best(const std::vector<float>& own, std::size_t words) const {
  const std::size_t width = labels();
  constexpr float kNever = -std::numeric_limits<float>::max();
  std::vector<float> score(width, kNever), next(width);
  score[0] = 0;
  std::vector<Label> from(words * width);
  for (std::size_t i = 0; i < words; ++i) {
    for (Label label = 0; label < width; ++label) {
      next[label] = kNever;
      for (Label before = 0; before < width; ++before) {
        if (score[before] == kNever || !may_follow(before, label)) continue;
        const float sum = score[before] + transitions_[before * width + label];
        if (sum <= next[label]) continue;
        next[label] = sum;
        from[i * width + label] = before;
      }
      if (next[label] != kNever) next[label] += own[i * width + label];
    }
    std::swap(score, next);
  }
  std::vector<Label> labels(words);
  auto last = static_cast<Label>(std::max_element(score.begin(), score.end()) - score.begin());
  for (std::size_t i = words; i-- > 0;) {
    labels[i] = last;
    last = from[i * width + last];
  }
  return labels;
}

std::vector<SlotSpan> Tagger::tag(std::span<const Key> keys, std::size_t words) const {
  if (slots_.empty() || words == 0) return {};
  std::vector<float> own(words * labels());
  for (const Key& key : keys) learnt_.add(key.hash, own.data() + key.word * labels());
  return spans(best(own, words));
}

std::vector<SlotSpan> Tagger::spans(const std::vector<Label>& labels) const {
  std::vector<SlotSpan> found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == 0) continue;
    if (labels[i] % 2 == 0 && !found.empty() && found.back().end == i) {
      found.back().end = i + 1;
    } else {
      found.emplace_back(slots_[(labels[i] - 1) / 2], i, i + 1);
    }
  }
  const auto length = [](const SlotSpan& span) { return span.end - span.begin; };
  std::vector<SlotSpan> once;
  for (const SlotSpan& span : found) {
    const auto known =
        std::find_if(once.begin(), once.end(), [&span](const auto& s) { return s.slot == span.slot; });
    if (known == once.end()) {
      once.push_back(span);
    } else if (length(span) > length(*known)) {
      *known = span;
    }
  }
  std::sort(once.begin(), once.end(), [](const SlotSpan& a, const SlotSpan& b) { return a.begin < b.begin; });
  return once;
}

void Tagger::pack(Packer& into) const {
  into.add(std::uint64_t{slots_.size()});
  for (const std::string& slot : slots_) into.add(slot);
  into.add(transitions_);
  learnt_.pack(into);
}

std::optional<Tagger> Tagger::unpacked(Unpacker& from) {
  Tagger made;
  for (auto left = from.number<std::uint64_t>(); from.is_good() && left > 0; --left)
    made.slots_.push_back(from.text());
  made.transitions_ = from.numbers<float>();
  auto learnt = CompactWeights::unpacked(from, made.labels());
  const std::size_t steps = made.slots_.empty() ? 0 : made.labels() * made.labels();
  if (!learnt || made.transitions_.size() != steps) return std::nullopt;
  made.learnt_ = std::move(*learnt);
  return made;
}

}  // namespace parley::intent
