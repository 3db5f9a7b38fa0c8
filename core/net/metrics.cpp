#include "net/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <utility>
#include <vector>

namespace parley::net {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;

MetricFamily family_of(std::string name, prometheus::MetricType type) {
  MetricFamily family;
  family.name = std::move(name);
  family.type = type;
  return family;
}

}  // namespace

std::string metrics_text(const std::vector<Counters::Count>& counts,
                         const std::map<std::string, double>& gauges) {
  std::vector<MetricFamily> families;
  for (const Counters::Count& count : counts) {
    if (families.empty() || families.back().name != count.name)
      families.push_back(family_of(count.name, prometheus::MetricType::Counter));
    ClientMetric metric;
    for (const auto& [name, value] : count.labels) {
      ClientMetric::Label& label = metric.label.emplace_back();
      label.name = name;
      label.value = value;
    }
    metric.counter.value = static_cast<double>(count.value);
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
