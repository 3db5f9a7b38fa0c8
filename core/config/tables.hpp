#pragma once

#include "config/schema.hpp"

// The keys of every section: what parses, validates, documents and prints them.
namespace parley::config {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""h;

template <class S, std::size_t N>
using Table = std::array<Field<S>, N>;

inline constexpr Table<LanguageConfig, 2> kLanguage{{
    {"default", &LanguageConfig::default_tag, "Language of an utterance that names none; one of 'enabled'.",
     looks_like(Form::kLanguage)},
    {"enabled", &LanguageConfig::enabled, "Languages that are understood.", looks_like(Form::kLanguage)},
}};

inline constexpr Table<LocationConfig, 3> kLocation{{
    {"lat", &LocationConfig::lat, "Degrees, north positive; together with 'lon'.", within(-90, 90)},
    {"lon", &LocationConfig::lon, "Degrees, east positive; together with 'lat'.", within(-180, 180)},
    {"tz", &LocationConfig::tz, "IANA time zone, such as Europe/Berlin; empty: the zone of this machine.",
     looks_like(Form::kZone)},
}};

inline constexpr Table<Config, 5> kTop{{
    {"pipeline", &Config::pipeline, "Entries of the stages, in the order they are asked.",
     looks_like(Form::kId)},
    {"blacklisted_pipelines", &Config::blacklisted_pipelines,
     "Entries or stages that are not asked, for sessions that carry no list of their own.",
     looks_like(Form::kId)},
    {"blacklisted_skills", &Config::blacklisted_skills, "Skills that may not answer, likewise.",
     looks_like(Form::kId)},
    {"blacklisted_intents", &Config::blacklisted_intents,
     "Intents that may not match, likewise; '<skill_id>:<intent_name>'.", looks_like(Form::kIntent)},
    {"workers", &Config::workers, "Threads that run skills.", within(1, 256)},
}};

inline constexpr Table<OrchestratorConfig, 9> kOrchestrator{{
    {"match_timeout", &OrchestratorConfig::match_timeout,
     "How long a stage may take to match; then it counts as declining.", within(1ms, 1h)},
    {"handler_timeout", &OrchestratorConfig::handler_timeout,
     "How long a skill's handler may run; waiting for the user does not count.", within(1ms, 24h)},
    {"max_consecutive_faults", &OrchestratorConfig::max_consecutive_faults,
     "Faults in a row (errors, timeouts) after which a stage is skipped.", within(1, 1'000'000)},
    {"fault_cooldown", &OrchestratorConfig::fault_cooldown,
     "How long it is skipped before it is tried once more; 0s: until the program is restarted.",
     within(0ms, 24h)},
    {"watchdog", &OrchestratorConfig::watchdog,
     "Warn about whoever holds the event loop for longer; 0s: don't watch.", within(0ms, 1min)},
    {"max_in_flight", &OrchestratorConfig::max_in_flight,
     "Utterances handled at a time; later ones wait, but for the first four of each client.",
     within(1, 1'000'000)},
    {"max_in_flight_of_client", &OrchestratorConfig::max_in_flight_of_client,
     "The same, of one client; a token's 'max_turns' says otherwise.", within(1, 1'000'000)},
    {"max_in_flight_of_session", &OrchestratorConfig::max_in_flight_of_session,
     "The same, of one session of a client.", within(1, 1'000'000)},
    {"max_questions_of_client", &OrchestratorConfig::max_questions_of_client,
     "Turns of one client that wait for the user's answer; of more, the first ends.", within(1, 1'000'000)},
}};

inline constexpr Table<SessionConfig, 1> kSession{{
    {"max_size", &SessionConfig::max_size, "What a session may hold, serialised; more is refused.",
     within(1024, 1024.0 * 1024 * 1024)},
}};

inline constexpr Table<SkillsConfig, 2> kSkills{{
    {"directories", &SkillsConfig::directories,
     "Where skills are looked for; relative ones beside this file, then in the installation.",
     looks_like(Form::kNonEmpty)},
    {"disabled", &SkillsConfig::disabled, "Skills that are not started.", looks_like(Form::kId)},
}};

inline constexpr Table<SkillOptions, 2> kSkillOptions{{
    {"threads", &SkillOptions::threads, "'own': a thread of its own, for a skill that blocks a lot."},
    {"handler_timeout", &SkillOptions::handler_timeout, "Instead of orchestrator.handler_timeout.",
     within(1ms, 24h)},
}};

inline constexpr Table<PluginsConfig, 3> kPlugins{{
    {"directories", &PluginsConfig::directories, "Where stage plugins are looked for, as skills.directories.",
     looks_like(Form::kNonEmpty)},
    {"strict", &PluginsConfig::strict, "A stage or skill that can't be loaded stops the start."},
    {"unload", &PluginsConfig::unload, "'never': libraries stay mapped until the program ends."},
}};

inline constexpr Table<LoggingConfig, 4> kLogging{{
    {"level", &LoggingConfig::level, "The least severe that is written."},
    {"format", &LoggingConfig::format, "'json': one object a line."},
    {"file", &LoggingConfig::file, "File to append to; empty: standard error."},
    {"max_per_second", &LoggingConfig::max_per_second,
     "Lines that one part of the program may write in a second; the rest are counted; 0: no limit.",
     within(0, 1'000'000)},
}};

inline constexpr Table<RegistrationConfig, 2> kRegistration{{
    {"max_samples", &RegistrationConfig::max_samples,
     "Samples of one intent or entity, in all its lists together; one with more is refused.",
     within(1, 1'000'000)},
    {"max_text", &RegistrationConfig::max_text, "Bytes of all these samples together.",
     within(1024, 1024.0 * 1024 * 1024)},
}};

inline constexpr Table<GatewayConfig, 15> kGateway{{
    {"listen", &GatewayConfig::listen, "IP address to listen on.", looks_like(Form::kAddress)},
    {"port", &GatewayConfig::port, "0: any free one.", within(0, 65'535)},
    {"max_frame", &GatewayConfig::max_frame, "A larger message closes the connection.",
     within(1024, 1024.0 * 1024 * 1024)},
    {"max_queue", &GatewayConfig::max_queue, "A client with more than this unsent is disconnected.",
     within(1024, 1024.0 * 1024 * 1024)},
    {"max_connections", &GatewayConfig::max_connections, "More are refused with HTTP 503.",
     within(1, 1'000'000)},
    {"ping_interval", &GatewayConfig::ping_interval,
     "How often a silent client is asked for a sign of life; one that gives none is disconnected.",
     within(100ms, 1h)},
    {"drain_timeout", &GatewayConfig::drain_timeout, "How long turns may go on when the program is to end.",
     within(0ms, 1h)},
    {"allowed_origins", &GatewayConfig::allowed_origins,
     "Origins of web pages that may connect, such as https://home.example; the server's own may.",
     looks_like(Form::kNonEmpty)},
    {"allowed_hosts", &GatewayConfig::allowed_hosts,
     "Names the server may be asked for by where no token is needed; addresses and localhost always are.",
     looks_like(Form::kNonEmpty)},
    {"max_registrations", &GatewayConfig::max_registrations,
     "Intents, entities and fallbacks registered over one connection; more are refused.",
     within(1, 10'000'000)},
    {"max_skills", &GatewayConfig::max_skills, "Skills one connection may speak for.", within(1, 1'000'000)},
    {"compat", &GatewayConfig::compat,
     "'ovos': clients may use the names topics had before the OVOS specifications, and are sent both."},
    {"tokens", &GatewayConfig::tokens,
     "File with the tokens of clients and what each may do; empty: none is needed, on a loopback address "
     "only."},
    {"certificate", &GatewayConfig::certificate, "PEM file for TLS, with its chain; empty: no TLS."},
    {"private_key", &GatewayConfig::private_key, "PEM file with the key of the certificate."},
}};

/// Calls `visit(key, section, table, help)` for every section whose keys are all declared in a table.
template <class AnyConfig, class Visit>
void for_each_section(AnyConfig& config, Visit&& visit) {
  visit("language", config.language, kLanguage, "What is spoken.");
  visit("location", config.location, kLocation, "Where the assistant is, for sessions that don't say.");
  visit("orchestrator", config.orchestrator, kOrchestrator, "Bounds of a turn.");
  visit("session", config.session, kSession, "What a conversation carries along.");
  visit("plugins", config.plugins, kPlugins, "Stage plugins, and how libraries are loaded.");
  visit("logging", config.logging, kLogging, "The program's own log.");
  visit("registration", config.registration, kRegistration, "What one intent or entity may hold.");
  visit("gateway", config.gateway, kGateway, "The WebSocket and HTTP door.");
}

}  // namespace parley::config
