#!/bin/sh
# Holds a server to the contract of /v1/query with plain curl: what goes in is found, with its proof, and every
# rule for a request has its code.
# Usage: evidence.sh http://localhost:8181
set -u
server=$1
failures=0

# Sends a body to a path and checks that the answer has each of the texts that follow.
expect() {
  path=$1 body=$2
  shift 2
  answer=$(curl -sS -X POST "$server$path" -H 'Content-Type: application/json' -d "$body")
  for text in "$@"; do
    case $answer in
      *"$text"*) ;;
      *) echo "$path $body: no $text in $answer"; failures=$((failures + 1)) ;;
    esac
  done
}
# A query of the usual fields, and those of $1 in their place.
query() {
  echo '{"query_text": "which tool failed", "agent_id": "agent_a", "session_id": "sess_a", "top_k": 5,
    "response_mode": "structured_evidence"'"${1:+, $1}"'}'
}
refused() { expect /v1/query "$1" '"status":"failed"' '"query_id":' '"message":' "\"error_code\":\"$2\""; }

event='{"event_id": "evt_008", "event_type": "tool_result", "time": "2026-03-16T10:00:00Z", "agent_id": "agent_a",
  "session_id": "sess_a", "text": "Tool X failed due to token expiry."}'
expect /v1/ingest/events "{\"events\": [$event]}" '"accepted":1' '"object_ids":["evt_008","mem_evt_008"]'
expect /v1/ingest/events "{\"events\": [$event]}" '"duplicates":1'
expect '/v1/ingest/events?wait=visible' '{"events": [{"event_id": ""}]}' '"rejected":1'

expect /v1/query "$(query)" '"status":"success"' '"object_id":"mem_evt_008"' '"source_refs":["evt_008"]' \
  '"edge_type":"derived_from"' '"source_event_ids":["evt_008"]' '"mutation_event_id":"evt_008"' \
  '"applied_filters":' '"retrieval_paths_used":' '"assembly_steps":' '"chain_traces":' '"nodes":'
expect /v1/query "$(query '"response_mode": "objects_only"')" '"object_id":"mem_evt_008"' '"edges":[]'
expect /v1/query "$(query '"session_id": "another"')" '"status":"success"' '"objects":[]' '"provenance":[]'
expect /v1/query "$(query '"time_window": {"to": "2020-01-01T00:00:00Z"}')" '"objects":[]'
expect /v1/query "$(query '"include_cold": true')" '"include_cold":true' 'the cold index was searched, too'

refused '{' MALFORMED_JSON
refused "$(query '"query_text": ""')" EMPTY_QUERY_TEXT
refused "$(query '"agent_id": ""')" EMPTY_AGENT_ID
refused "$(query '"session_id": ""')" EMPTY_SESSION_ID
refused "$(query '"top_k": 0')" INVALID_TOP_K
refused "$(query '"top_k": "5"')" INVALID_FIELD_TYPE
refused "$(query '"response_mode": "prose"')" INVALID_RESPONSE_MODE
refused "$(query '"object_types": ["dream"]')" INVALID_OBJECT_TYPE
refused "$(query '"memory_types": ["vague"]')" INVALID_MEMORY_TYPE
refused "$(query '"query_scope": "galaxy"')" INVALID_QUERY_SCOPE
refused "$(query '"time_window": {"from": "noon"}')" INVALID_TIME_WINDOW
refused "$(query '"relation_constraints": ["max_hops:0"]')" INVALID_RELATION_CONSTRAINT

if [ "$failures" -eq 0 ]; then echo "the contract holds"; else exit 1; fi
