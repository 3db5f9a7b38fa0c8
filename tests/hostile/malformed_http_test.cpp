// What is no HTTP request, and what two readers could take for two different ones, is refused; others don't
// notice.
#include <optional>

#include "hostile/attack.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

struct Case {
  Case(std::string what, std::string text) : name(std::move(what)), bytes(std::move(text)) {}
  std::string name, bytes;
};

constexpr const char* kBody = R"({"id": "x", "text": "go honest.test"})";

/// `POST /run` with these header lines, each with its end.
std::string run_with(const std::string& headers, const std::string& body) {
  return "POST /run HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n" + body;
}

std::string get(const std::string& target, const std::string& headers = "Host: 127.0.0.1\r\n") {
  return "GET " + target + " HTTP/1.1\r\n" + headers + "\r\n";
}

std::string chunked(const std::string& chunks, const std::string& coding = "chunked") {
  return run_with("Transfer-Encoding: " + coding + "\r\n", chunks);
}

std::string chunk_of(const std::string& body) {
  return fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body);
}

/// The length of kBody as it would be said.
std::string length(const std::string& value) {
  return run_with("Content-Length: " + value + "\r\n", kBody);
}

const std::string kLength = std::to_string(std::string(kBody).size());

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"no Host", get("/v1/skills", "")},
      {"two Hosts", get("/v1/skills", "Host: 127.0.0.1\r\nHost: localhost\r\n")},
      {"the same Host twice", get("/v1/skills", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n")},
      {"a Host that is none", get("/v1/skills", "Host: a b\r\n")},
      {"a target of another host", get("http://evil.example/v1/skills")},
      {"a target of another scheme", get("ftp://127.0.0.1/v1/skills")},
      {"a target that is no path", get("v1/skills")},
      {"CONNECT", "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
      {"an unknown transfer coding", chunked(chunk_of(kBody), "gzip")},
      {"chunked and then another coding", chunked(chunk_of(kBody), "chunked, gzip")},
      {"chunked after another coding", chunked(chunk_of(kBody), "gzip, chunked")},
      {"chunked twice", chunked(chunk_of(kBody), "chunked, chunked")},
      {"a coding that looks like chunked", chunked(chunk_of(kBody), "xchunked")},
      {"identity", chunked(kBody, "identity")},
      {"a coding and a length",
       run_with("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", chunk_of(kBody))},
      {"a length and a coding",
       run_with("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", chunk_of(kBody))},
      {"two lengths", run_with("Content-Length: " + kLength + "\r\nContent-Length: 5\r\n", kBody)},
      {"two lengths in one", length(kLength + ", 5")},
      {"a negative length", length("-1")},
      {"a length with a sign", length("+" + kLength)},
      {"a length in words", length("ten")},
      {"a hexadecimal length", length("0x25")},
      {"a length beyond numbers", length("99999999999999999999999")},
      {"no length at all", length("")},
      {"a chunk size that is none", chunked("zz\r\nabc\r\n0\r\n\r\n")},
      {"a negative chunk size", chunked("-1\r\nabc\r\n0\r\n\r\n")},
      {"a chunk size beyond numbers", chunked("ffffffffffffffffff\r\nabc\r\n0\r\n\r\n")},
      {"a chunk larger than anything", chunked("7fffffffffffffff\r\nabc\r\n0\r\n\r\n")},
      {"a chunk without its end", chunked("3\r\nabcdef\r\n0\r\n\r\n")},
      {"a header without a colon", get("/v1/skills", "Host: 127.0.0.1\r\nNothing\r\n")},
      {"a header without a name", get("/v1/skills", "Host: 127.0.0.1\r\n: x\r\n")},
      {"a space before the colon", get("/v1/skills", "Host : 127.0.0.1\r\n")},
      {"a NUL in a header", get("/v1/skills", std::string("Host: 127.0.0.1\r\nX: a\0b\r\n", 25))},
      {"a NUL in the target", get(std::string("/v1/\0skills", 11))},
      {"a control character in the target", get("/v1/\x01skills")},
      {"a bare line feed", "GET /v1/skills HTTP/1.1\nHost: 127.0.0.1\n\n"},
      {"no version", "GET /v1/skills\r\n\r\n"},
      {"version 3", "GET /v1/skills HTTP/3.0\r\nHost: 127.0.0.1\r\n\r\n"},
      {"a version that is none", "GET /v1/skills HTTP/x.y\r\nHost: 127.0.0.1\r\n\r\n"},
      {"a method that is none", "G<T /v1/skills HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
      {"TLS",
       std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(64, 'x') + "\r\n\r\n"},
      {"a line of 100,000 bytes", get("/" + std::string(100'000, 'a'))},
      {"a header of 100,000 bytes",
       get("/v1/skills", "Host: 127.0.0.1\r\nX: " + std::string(100'000, 'a') + "\r\n")},
      {"a path with an escape that is none", get("/v1/%zz")},
      {"a path with an escaped NUL", get("/v1/skills%00")},
      {"a path that climbs", get("/../../etc/passwd")},
  };
  return all;
}

}  // namespace

TEST_CASE(
    "hostile: a request that is malformed or can be read in two ways is refused, and nothing comes of it") {
  Served server;
  Honest honest(with_honest(server));
  for (const auto& one : cases()) {
    CAPTURE(one.name);
    RawSocket socket(server.port());
    socket.send(one.bytes);
    socket.end_sending();
    const int status = status_of(socket.read_all());
    // None at all: the connection was ended without a word.
    CHECK((status == 0 || (status >= 400 && status <= 505)));
    CHECK(status != 500);
    honest.converse();
  }
  CHECK(server.counters().of("parley_gateway_http_requests_total") <= 3);  // some paths are only unknown
}

TEST_CASE("hostile: what follows a request that is refused is not taken for another one") {
  Served server;
  Honest honest(with_honest(server));
  const std::string smuggled = "0\r\n\r\n" + run_with("Content-Length: " + kLength + "\r\n", kBody);
  for (const std::string& first :
       {run_with(fmt::format("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", smuggled.size()),
                 smuggled),
        run_with(fmt::format("Transfer-Encoding: x\r\nContent-Length: {}\r\n", 5), smuggled),
        run_with("Content-Length: 5\r\nContent-Length: 6\r\n", smuggled)}) {
    CAPTURE(first);
    RawSocket socket(server.port());
    socket.send(first);
    socket.end_sending();
    const std::string answers = socket.read_all();
    CHECK(answers.find("\"status\"") == std::string::npos);
    CHECK(answers.find("200 OK") == std::string::npos);
    honest.converse();
  }
}

TEST_CASE("hostile: requests that are sound are served, however they come") {
  Served server;
  Honest honest(with_honest(server));
  const std::string port = std::to_string(server.port());
  RawSocket pipelined(server.port());
  std::string many;
  for (int i = 0; i < 50; ++i) many += get("/health");
  pipelined.send(many + "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answers = pipelined.read_all();
  int served = 0;
  for (auto at = answers.find("200 OK"); at != answers.npos; at = answers.find("200 OK", at + 1)) ++served;
  CHECK(served == 51);
  RawSocket slow(server.port());
  const std::string request =
      run_with("Connection: close\r\nTransfer-Encoding: chunked\r\n", chunk_of(kBody));
  for (const char byte : request) REQUIRE(slow.send(std::string(1, byte)));
  CHECK(status_of(slow.read_all()) == 200);
  RawSocket absolute(server.port());
  absolute.send("GET http://127.0.0.1:" + port + "/health HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                "\r\nConnection: close\r\n\r\n");
  CHECK(status_of(absolute.read_all()) < 500);
  honest.converse();
}

TEST_CASE("hostile: half a request is waited for, and no longer than its time") {
  Served server;
  Honest honest(with_honest(server));
  std::vector<RawSocket> sockets;
  for (const std::string& half :
       {std::string(), std::string("POST /run HT"), std::string("POST /run HTTP/1.1\r\nHost: 127.0.0.1\r\n"),
        run_with("Content-Length: 100\r\n", "{"), chunked("5\r\nab"), chunked("5\r\nabcde\r\n")}) {
    sockets.emplace_back(server.port());
    sockets.back().send(half);
    honest.converse();
  }
  for (auto& socket : sockets) CHECK(status_of(socket.read_all()) != 200);  // which throws unless it ends
  honest.converse();
}
