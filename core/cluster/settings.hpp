#pragma once

#include <string>
#include <vector>

namespace parley::cluster {

/// The section `cluster` of the configuration. Its option table says what the keys mean, and their defaults.
struct ClusterSettings {
  ClusterSettings() = default;
  std::vector<std::string> servers;  ///< Empty: this is no part of a cluster.
  std::string name;
  int replicas{};
  std::string user, password, token;
  std::string credentials;                   ///< A file.
  std::string ca, certificate, private_key;  ///< PEM files.
  bool operator==(const ClusterSettings&) const = default;
};

}  // namespace parley::cluster
