#pragma once

#include "config/config.hpp"
#include "config/schema.hpp"

// The keys of every section: what parses, validates, documents and prints them, and their defaults.
namespace parley::config {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""h;

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kGiB = kKiB * kKiB * kKiB;

template <class S>
using Slot =
    SlotOf<S, LogLevel, LogFormat, SkillThreads, SkillPlacement, PluginUnload, StoreKeep, net::Compat>;
template <class S, std::size_t N>
using Table = std::array<FieldOf<S, Slot<S>>, N>;

inline constexpr Table<LanguageConfig, 2> kLanguage{{
    {Option::text("default", "en-US", "Language of an utterance that names none; one of 'enabled'.",
                  TextForm::kLanguage),
     &LanguageConfig::default_tag},
    {Option::list("enabled", "[en-US, de-DE, fr-FR, es-ES, pt-PT]",
                  "Languages that are understood. The fewer, the sooner it starts.", TextForm::kLanguage),
     &LanguageConfig::enabled},
}};

inline constexpr Table<LocationConfig, 3> kLocation{{
    {Option::number("lat", nullptr, -90, 90, "Degrees, north positive; together with 'lon'."),
     &LocationConfig::lat},
    {Option::number("lon", nullptr, -180, 180, "Degrees, east positive; together with 'lat'."),
     &LocationConfig::lon},
    {Option::text("tz", "", "IANA time zone, such as Europe/Berlin; empty: the zone of this machine.",
                  TextForm::kZone),
     &LocationConfig::tz},
}};

inline constexpr Table<Config, 5> kTop{{
    {Option::list("pipeline", "[]",
                  "Entries of the stages, in the order they are asked; the first to match wins.",
                  TextForm::kId),
     &Config::pipeline, kAtOnce},
    {Option::list("blacklisted_pipelines", "[]",
                  "Entries or stages that are not asked, for sessions that carry no list of their own.",
                  TextForm::kId),
     &Config::blacklisted_pipelines, kAtOnce},
    {Option::list("blacklisted_skills", "[]",
                  "Skills that may not answer, for sessions that carry no list of their own.", TextForm::kId),
     &Config::blacklisted_skills, kAtOnce},
    {Option::list("blacklisted_intents", "[]",
                  "Intents that may not match ('<skill_id>:<intent_name>'), for sessions that carry no list "
                  "of their own.",
                  TextForm::kIntent),
     &Config::blacklisted_intents, kAtOnce},
    {Option::integer("workers", "2", 1, 256, "Threads that run skills."), &Config::workers},
}};

inline constexpr Table<OrchestratorConfig, 10> kOrchestrator{{
    {Option::duration("match_timeout", "10s", 1ms, 1h,
                      "How long a stage may take to match; then it counts as declining."),
     &OrchestratorConfig::match_timeout},
    {Option::duration("handler_timeout", "60s", 1ms, 24h,
                      "How long a skill's handler may run; waiting for the user does not count."),
     &OrchestratorConfig::handler_timeout},
    {Option::integer("max_consecutive_faults", "5", 1, 1'000'000,
                     "Faults in a row (errors, timeouts) after which a stage is skipped."),
     &OrchestratorConfig::max_consecutive_faults},
    {Option::duration(
         "fault_cooldown", "1min", 0ms, 24h,
         "How long a faulty stage is skipped before it is tried again; 0s: until the program is restarted."),
     &OrchestratorConfig::fault_cooldown},
    {Option::duration("watchdog", "50ms", 0ms, 1min,
                      "Warn about code that holds the event loop for longer; 0s: don't watch."),
     &OrchestratorConfig::watchdog},
    {Option::integer("max_in_flight", "1024", 1, 1'000'000,
                     "Utterances handled at a time; later ones wait, except the first four of each client."),
     &OrchestratorConfig::max_in_flight, kAtOnce},
    {Option::integer("max_in_flight_of_client", "256", 1, 1'000'000,
                     "Utterances of one client handled at a time; a token's 'max_turns' overrides it."),
     &OrchestratorConfig::max_in_flight_of_client, kAtOnce},
    {Option::integer("max_in_flight_of_session", "64", 1, 1'000'000,
                     "Utterances of one session of a client handled at a time."),
     &OrchestratorConfig::max_in_flight_of_session, kAtOnce},
    {Option::integer("max_questions_of_client", "256", 1, 1'000'000,
                     "Turns of one client that may wait for the user's answer; one more ends the first."),
     &OrchestratorConfig::max_questions_of_client, kAtOnce},
    {Option::flag("speak_errors", "true",
                  "A skill whose handler fails says so ('error.dialog'), instead of saying nothing."),
     &OrchestratorConfig::speak_errors},
}};

inline constexpr Table<SessionConfig, 1> kSession{{
    {Option::size("max_size", "64KiB", kKiB, kGiB,
                  "The largest size of a session, serialised. A change beyond it is refused; with a larger "
                  "session, no stage is asked about an utterance."),
     &SessionConfig::max_size, kAtOnce},
}};

inline constexpr Table<SkillsConfig, 3> kSkills{{
    {Option::list("directories", "[]",
                  "Where skills are looked for, beside those that come with parley; relative to this file.",
                  TextForm::kNonEmpty),
     &SkillsConfig::directories},
    {Option::flag("shipped", "true", "false: don't load those that come with parley."),
     &SkillsConfig::shipped},
    {Option::list("disabled", "[]", "Skills that are not started.", TextForm::kId), &SkillsConfig::disabled},
}};

inline constexpr Table<SkillOptions, 9> kSkillOptions{{
    {Option::word("threads", "shared", "shared own",
                  "'own': a thread of its own, for a skill that blocks a lot."),
     &SkillOptions::threads},
    {Option::duration("handler_timeout", nullptr, 1ms, 24h, "Replaces orchestrator.handler_timeout."),
     &SkillOptions::handler_timeout},
    {Option::word(
         "placement", "here", "here process auto",
         "'process': in a child process, which is restarted when it dies; 'auto': in one once the backend "
         "has crashed in this skill under --supervise. The options below are for child processes."),
     &SkillOptions::placement},
    {Option::size("memory", "512MiB", kKiB* kKiB, kKiB* kGiB,
                  "How much memory the skill may take, beyond what its process begins with."),
     &SkillOptions::memory},
    {Option::number("cpu", nullptr, 0.01, 1024,
                    "How much of one processor's time the skill may take, as in 0.5; needs control groups."),
     &SkillOptions::cpu},
    {Option::integer("open_files", "256", 16, 1'000'000,
                     "Files, pipes and the like that the skill may have open."),
     &SkillOptions::open_files},
    {Option::flag("network", "false",
                  "The skill may open sockets itself. Requests through http() work without this."),
     &SkillOptions::network},
    {Option::flag("programs", "false", "The skill may start other programs."), &SkillOptions::programs},
    {Option::list("writes", "[]",
                  "Folders the skill may write to, relative to this file. storage() works without this.",
                  TextForm::kNonEmpty),
     &SkillOptions::writes},
}};

/// What every stage has beside the options of its plugin.
struct StageCommon {
  StageCommon() = default;
  std::string plugin;
  std::optional<std::chrono::milliseconds> match_timeout;
};

inline constexpr Table<StageCommon, 2> kStage{{
    {Option::text("plugin", nullptr,
                  "The library libparley_stage_<plugin>.so; default: the stage's own name.", TextForm::kId),
     &StageCommon::plugin},
    {Option::duration(
         "match_timeout", nullptr, 1ms, 1h,
         "Replaces orchestrator.match_timeout; default: that, or the least that the stage's options need."),
     &StageCommon::match_timeout},
}};

inline constexpr Table<PluginsConfig, 4> kPlugins{{
    {Option::list("directories", "[]", "Where stage plugins are looked for, as skills.directories.",
                  TextForm::kNonEmpty),
     &PluginsConfig::directories},
    {Option::flag("shipped", "true", "false: don't load those that come with parley."),
     &PluginsConfig::shipped},
    {Option::flag("strict", "false", "A stage or skill that can't be loaded stops the start."),
     &PluginsConfig::strict},
    {Option::word("unload", "when_idle", "when_idle never",
                  "'never': libraries stay mapped until the program ends."),
     &PluginsConfig::unload},
}};

inline constexpr Table<LoggingConfig, 4> kLogging{{
    {Option::word(
         "level", "warning", kLogLevelNames,
         "The lowest level that is written; info has a line for each turn, debug one for each stage."),
     &LoggingConfig::level, kAtOnce},
    {Option::word("format", "text", "text json", "'json': one object per line."), &LoggingConfig::format},
    {Option::text("file", "", "File to append to; empty: standard error."), &LoggingConfig::file},
    {Option::integer(
         "max_per_second", "100", 0, 1'000'000,
         "Lines that one part of the program may write in a second; the rest are counted; 0: no limit."),
     &LoggingConfig::max_per_second},
}};

inline constexpr Table<RegistrationConfig, 2> kRegistration{{
    {Option::integer("max_samples", "10000", 1, 1'000'000,
                     "Samples of one intent or entity, in all its lists together; one with more is refused."),
     &RegistrationConfig::max_samples},
    {Option::size("max_text", "512KiB", kKiB, kGiB, "Bytes of all these samples together."),
     &RegistrationConfig::max_text},
}};

inline constexpr Table<net::GatewaySettings, 17> kGateway{{
    {Option::text("listen", "127.0.0.1", "IP address to listen on; only this machine reaches 127.0.0.1.",
                  TextForm::kAddress),
     &net::GatewaySettings::listen},
    {Option::integer("port", "8181", 0, 65'535, "0: any free port."), &net::GatewaySettings::port},
    {Option::size("max_frame", "1MiB", kKiB, kGiB,
                  "A larger message closes the connection, a larger HTTP body is refused."),
     &net::GatewaySettings::max_frame, kAtOnce},
    {Option::size("max_queue", "4MiB", kKiB, kGiB,
                  "A client that leaves more than this unread for two seconds is disconnected."),
     &net::GatewaySettings::max_queue, kAtOnce},
    {Option::integer("max_connections", "1024", 1, 1'000'000, "More are refused with HTTP 503."),
     &net::GatewaySettings::max_connections, kAtOnce},
    {Option::duration("ping_interval", "30s", 100ms, 1h,
                      "How often a silent client is pinged; a client that does not answer is disconnected."),
     &net::GatewaySettings::ping_interval, kAtOnce},
    {Option::duration("request_timeout", "10s", 100ms, 1h,
                      "How long the head and body of a request may take to arrive."),
     &net::GatewaySettings::request_timeout, kAtOnce},
    {Option::duration("drain_timeout", "10s", 0ms, 1h,
                      "How long running turns may go on when the program ends."),
     &net::GatewaySettings::drain_timeout, kAtOnce},
    {Option::flag("console", "true",
                  "The console, a page for browsers at '/' (docs/console.md). It has the rights of the token "
                  "used to sign in."),
     &net::GatewaySettings::console, kAtOnce},
    {Option::list(
         "allowed_origins", "[]",
         "Origins of web pages that may connect, such as https://home.example; the server's own always may.",
         TextForm::kNonEmpty),
     &net::GatewaySettings::allowed_origins, kAtOnce},
    {Option::list("allowed_hosts", "[]",
                  "Names under which clients may address the server when no token is needed, beside "
                  "addresses and localhost.",
                  TextForm::kNonEmpty),
     &net::GatewaySettings::allowed_hosts, kAtOnce},
    {Option::integer("max_registrations", "4096", 1, 10'000'000,
                     "Intents, entities and fallbacks registered over one connection; more are refused."),
     &net::GatewaySettings::max_registrations, kAtOnce},
    {Option::integer("max_skills", "256", 1, 1'000'000, "Skills one connection may speak for."),
     &net::GatewaySettings::max_skills, kAtOnce},
    {Option::word("compat", "auto", "auto none ovos",
                  "'ovos': understand clients and skills from before the OVOS specifications "
                  "(docs/gateway.md); 'auto': on a loopback address only."),
     &net::GatewaySettings::compat, kAtOnce},
    {Option::text("tokens", "",
                  "File with the tokens of clients and what each may do (docs/gateway.md); empty: no token "
                  "is needed, which is possible on a loopback address only."),
     &net::GatewaySettings::tokens, kAtOnce},
    {Option::text("certificate", "", "PEM file for TLS, with its chain; empty: no TLS."),
     &net::GatewaySettings::certificate, kAtOnce},
    {Option::text("private_key", "", "PEM file with the key of the certificate."),
     &net::GatewaySettings::private_key, kAtOnce},
}};

inline constexpr Table<cluster::ClusterSettings, 10> kCluster{{
    {Option::list(
         "servers", "[]",
         "Addresses of nats-server, such as nats://10.0.0.1:4222; empty: this is no part of a cluster.",
         TextForm::kNonEmpty),
     &cluster::ClusterSettings::servers},
    {Option::text("name", "home", "Instances with the same name on the same servers are one.",
                  TextForm::kNonEmpty),
     &cluster::ClusterSettings::name},
    {Option::integer(
         "replicas", "1", 1, 5,
         "On how many servers what the instances share is kept; more than 1 needs nats-server 2.10."),
     &cluster::ClusterSettings::replicas},
    {Option::text("user", "", "Whom nats-server lets in; empty: anybody, or by what follows."),
     &cluster::ClusterSettings::user},
    {Option::text("password", "", "Of that user."), &cluster::ClusterSettings::password},
    {Option::text("token", "", "A token, where nats-server wants one."), &cluster::ClusterSettings::token},
    {Option::text("credentials", "", "File with the credentials of NATS (.creds)."),
     &cluster::ClusterSettings::credentials},
    {Option::text("ca", "",
                  "PEM file with the certificates that nats-server's is checked against; turns TLS on."),
     &cluster::ClusterSettings::ca},
    {Option::text("certificate", "",
                  "PEM file with this instance's certificate, where nats-server wants one."),
     &cluster::ClusterSettings::certificate},
    {Option::text("private_key", "", "PEM file with its key."), &cluster::ClusterSettings::private_key},
}};

inline constexpr Table<SessionsConfig, 3> kSessionEnds{{
    {Option::duration("idle_after", "30min", 1s, 24h * 365,
                      "A session without a turn for this long is idle: no skill has its floor any more, and "
                      "its questions end."),
     &SessionsConfig::idle_after},
    {Option::duration("close_after", "7d", 1min, 24h * 3'650,
                      "A session without a turn for this long is closed: its transcript goes into the log."),
     &SessionsConfig::close_after},
    {Option::duration("keep_values", "30d", 1h, 24h * 3'650,
                      "How long skills' values in the scope of a session are kept after it was closed."),
     &SessionsConfig::keep_values},
}};

inline constexpr Table<StoreConfig, 5> kStore{{
    {Option::flag("enabled", "true",
                  "Keep skills' values, what is scheduled and what was said in a file; with false nothing "
                  "outlives the process."),
     &StoreConfig::enabled},
    {Option::text(
         "path", "",
         "The file, relative to this one; empty: parley/parley.db in $XDG_DATA_HOME or ~/.local/share."),
     &StoreConfig::path},
    {Option::word(
         "keep", "traces", "nothing turns traces",
         "What to keep of turns: nothing, what was said and what came of it, or also how that came about."),
     &StoreConfig::keep},
    {Option::duration("retention", "90d", 1h, 24h * 36'500, "How long turns are kept."),
     &StoreConfig::retention},
    {Option::integer(
         "max_queue", "10000", 100, 1'000'000,
         "Events that may wait to be written; beyond that, they are dropped, traces first, and counted."),
     &StoreConfig::max_queue},
}};

inline constexpr Table<EvidenceConfig, 2> kEvidence{{
    {Option::flag("enabled", "true",
                  "Derive objects, edges and an index from the log, and answer questions over them."),
     &EvidenceConfig::enabled},
    {Option::duration(
         "cold_after", "180d", 1h, 24h * 36'500,
         "What is older is found only by questions with 'include_cold', as those of the memory skill: "
         "the others stay fast."),
     &EvidenceConfig::cold_after},
}};

inline constexpr Table<evidence::EmbeddingSettings, 6> kEmbeddings{{
    {Option::text("url", "",
                  "Base of an OpenAI-compatible endpoint for vectors of texts, such as "
                  "http://localhost:11434/v1: questions also find what says the same in other words. It is "
                  "sent what memories say, and questions. Empty: words and time alone."),
     &evidence::EmbeddingSettings::url},
    {Option::text("model", "",
                  "The model's name on the server; empty: the server chooses. With another one all vectors "
                  "are made anew."),
     &evidence::EmbeddingSettings::model},
    {Option::text("key_variable", "", "The environment variable that holds the key; empty: no key is sent."),
     &evidence::EmbeddingSettings::key_variable},
    {Option::text("key_file", "", "The file whose first line is the key, instead."),
     &evidence::EmbeddingSettings::key_file},
    {Option::duration("timeout", "500ms", 10ms, 10s,
                      "How long a question waits for its vector at most; then it is answered without."),
     &evidence::EmbeddingSettings::timeout},
    {Option::duration("retry_after", "30s", 1s, 24h,
                      "How long questions leave the endpoint alone after it failed."),
     &evidence::EmbeddingSettings::retry_after},
}};

inline constexpr Table<TelemetryConfig, 5> kTelemetry{{
    {Option::text(
         "traces", "",
         "Where traces of turns are sent, by OTLP over HTTP: http://localhost:4318/v1/traces; empty: "
         "nowhere."),
     &TelemetryConfig::traces},
    {Option::text("service", "parley", "The name of this service in the collector (service.name).",
                  TextForm::kNonEmpty),
     &TelemetryConfig::service},
    {Option::flag("words", "false", "Also send what the user and skills said."), &TelemetryConfig::words},
    {Option::duration("every", "5s", 1ms, 1h, "How often new traces are sent, all at once."),
     &TelemetryConfig::every},
    {Option::integer("max_queue", "4096", 1, 1'000'000,
                     "Turns that may wait to be sent; more are dropped, and counted."),
     &TelemetryConfig::max_queue},
}};

/// Sections within sections: `visit(outer key, key, section, table, help)`.
template <class AnyConfig, class Visit>
void for_each_inner_section(AnyConfig& config, Visit&& visit) {
  visit("evidence", "embeddings", config.evidence.embeddings, kEmbeddings,
        "A server that gives vectors of texts (docs/evidence.md).");
}

/// Calls `visit(key, section, table, help)` for every section whose keys are all declared in a table.
template <class AnyConfig, class Visit>
void for_each_section(AnyConfig& config, Visit&& visit) {
  visit("language", config.language, kLanguage, "What is spoken.");
  visit("location", config.location, kLocation,
        "Where the assistant is, for sessions that carry no location of their own.");
  visit("orchestrator", config.orchestrator, kOrchestrator, "Bounds of a turn.");
  visit("session", config.session, kSession, "The data that a conversation carries along.");
  visit("sessions", config.sessions, kSessionEnds, "When sessions end by themselves.");
  visit("store", config.store, kStore, "What lasts: `parley serve` and `parley chat` keep it in a file.");
  visit("evidence", config.evidence, kEvidence,
        "What is made of the log: `POST /v1/query`, `parley recall`.");
  visit("plugins", config.plugins, kPlugins, "Stage plugins, and how libraries are loaded.");
  visit("logging", config.logging, kLogging, "The program's own log.");
  visit("telemetry", config.telemetry, kTelemetry,
        "Traces for a collector of OpenTelemetry (docs/gateway.md).");
  visit("registration", config.registration, kRegistration,
        "What one intent or entity may hold when a skill registers it.");
  visit("gateway", config.gateway, kGateway,
        "Where clients, satellites and remote skills connect: `parley serve` listens here.");
  visit("cluster", config.cluster, kCluster,
        "Several `parley serve` as one, over NATS with JetStream (docs/scale.md).");
}

}  // namespace parley::config
