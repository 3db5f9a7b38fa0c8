#include "net/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <string_view>
#include <utility>
#include <vector>

namespace parley::net {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;

/// The labels of `name{one="x",two="y"}`; values hold no quotes.
std::vector<ClientMetric::Label> labels_of(std::string_view text) {
  std::vector<ClientMetric::Label> labels;
  while (!text.empty()) {
    const auto equals = text.find("=\"");
    if (equals == std::string_view::npos) break;
    const auto end = text.find('"', equals + 2);
    if (end == std::string_view::npos) break;
    ClientMetric::Label label;
    label.name = text.substr(0, equals);
    label.value = text.substr(equals + 2, end - equals - 2);
    labels.push_back(std::move(label));
    text = text.substr(std::min(text.size(), end + 2));
  }
  return labels;
}

MetricFamily family_of(std::string name, prometheus::MetricType type) {
  MetricFamily family;
  family.name = std::move(name);
  family.type = type;
  return family;
}

}  // namespace

std::string metrics_text(const std::map<std::string, std::uint64_t>& counts,
                         const std::map<std::string, double>& gauges) {
  std::vector<MetricFamily> families;
  for (const auto& [name, count] : counts) {
    const auto brace = name.find('{');
    std::string bare = name.substr(0, brace);
    if (families.empty() || families.back().name != bare)
      families.push_back(family_of(std::move(bare), prometheus::MetricType::Counter));
    ClientMetric metric;
    if (brace != std::string::npos)
      metric.label = labels_of(std::string_view(name).substr(brace + 1, name.size() - brace - 2));
    metric.counter.value = static_cast<double>(count);
    families.back().metric.push_back(std::move(metric));
  }
  for (const auto& [name, value] : gauges) {
    families.push_back(family_of(name, prometheus::MetricType::Gauge));
    ClientMetric metric;
    metric.gauge.value = value;
    families.back().metric.push_back(std::move(metric));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace parley::net
