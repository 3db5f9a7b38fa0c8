#include "net/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
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

MetricFamily& family_in(std::vector<MetricFamily>& families, const std::string& name,
                        prometheus::MetricType type) {
  if (families.empty() || families.back().name != name) families.push_back(family_of(name, type));
  return families.back();
}

ClientMetric metric_of(const Counters::Labels& labels) {
  ClientMetric metric;
  for (const auto& [name, value] : labels) {
    ClientMetric::Label& label = metric.label.emplace_back();
    label.name = name;
    label.value = value;
  }
  return metric;
}

/// Its buckets hold what is in those below, too.
ClientMetric::Histogram histogram_of(const Counters::Spread& spread) {
  ClientMetric::Histogram histogram;
  for (std::size_t i = 0; i < spread.counts.size(); ++i) {
    histogram.sample_count += spread.counts[i];
    ClientMetric::Bucket& bucket = histogram.bucket.emplace_back();
    bucket.cumulative_count = histogram.sample_count;
    bucket.upper_bound =
        i < Histogram::kBounds.size() ? Histogram::kBounds[i] : std::numeric_limits<double>::infinity();
  }
  histogram.sample_sum = spread.seconds;
  return histogram;
}

}  // namespace

std::string metrics_text(const std::vector<Counters::Count>& counts,
                         const std::vector<Counters::Spread>& spreads,
                         const std::map<std::string, double>& gauges) {
  std::vector<MetricFamily> families;
  for (const Counters::Count& count : counts) {
    ClientMetric metric = metric_of(count.labels);
    metric.counter.value = static_cast<double>(count.value);
    family_in(families, count.name, prometheus::MetricType::Counter).metric.push_back(std::move(metric));
  }
  for (const Counters::Spread& spread : spreads) {
    ClientMetric metric = metric_of(spread.labels);
    metric.histogram = histogram_of(spread);
    family_in(families, spread.name, prometheus::MetricType::Histogram).metric.push_back(std::move(metric));
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
