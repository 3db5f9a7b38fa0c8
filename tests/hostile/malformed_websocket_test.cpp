// What the WebSocket protocol forbids ends the connection with the code it says, and others don't notice.
#include "hostile/attack.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

constexpr unsigned kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;
constexpr int kProtocolError = 1002, kNotText = 1007, kTooBig = 1009;

Frame part(unsigned opcode, std::string_view payload) {
  Frame frame(opcode, payload);
  frame.last = false;
  return frame;
}
std::string unmasked(unsigned opcode, std::string_view payload) {
  Frame frame(opcode, payload);
  frame.masked = false;
  return frame.bytes();
}
std::string reserved(unsigned bits, unsigned opcode, std::string_view payload) {
  Frame frame(opcode, payload);
  frame.reserved = bits;
  return frame.bytes();
}
std::string close_with(int code, const std::string& why = {}) {
  const std::string number{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
  return Frame(kClose, number + why).bytes();
}

struct Frames {
  Frames(std::string what, std::string text, std::vector<int> codes)
      : name(std::move(what)), bytes(std::move(text)), ends_with(std::move(codes)) {}
  std::string name, bytes;
  std::vector<int> ends_with;  ///< Any of these; 0: without a code.
};

std::vector<Frames> wrong_frames() {
  const std::string text = R"({"type": "test.x"})";
  const std::vector<int> wrong{kProtocolError};
  std::vector<Frames> all{
      {"an unmasked frame", unmasked(kText, text), wrong},
      {"an unmasked ping", unmasked(kPing, "x"), wrong},
      {"a reserved bit in a ping", reserved(4, kPing, "x"), wrong},
      {"a reserved bit in a close", reserved(2, kClose, ""), wrong},
      {"a ping of 126 bytes", Frame(kPing, std::string(126, 'p')).bytes(), wrong},
      {"a close of 126 bytes", close_with(1000, std::string(124, 'c')), wrong},
      {"a ping in parts", part(kPing, "a").bytes() + Frame(kContinuation, "b").bytes(), wrong},
      {"a close in parts", part(kClose, "").bytes(), wrong},
      {"a continuation of nothing", Frame(kContinuation, text).bytes(), wrong},
      {"a text within a text", part(kText, "{").bytes() + Frame(kText, text).bytes(), wrong},
      {"a binary within a text", part(kText, "{").bytes() + Frame(kBinary, "x").bytes(), wrong},
      {"a close of one byte", Frame(kClose, "x").bytes(), wrong},
      {"text that is no UTF-8", Frame(kText, "\"\xff\xfe\"").bytes(), {kNotText}},
      {"a surrogate in text", Frame(kText, "\"\xed\xa0\x80\"").bytes(), {kNotText}},
      {"an overlong form in text", Frame(kText, "\"\xc0\xaf\"").bytes(), {kNotText}},
      {"half a character at the end", Frame(kText, "\"\xe2\x82").bytes(), {kNotText}},
      {"bad text in two parts",
       part(kText, "\"\xe2").bytes() + Frame(kContinuation, "\"").bytes(),
       {kNotText}},
      {"a close whose reason is no UTF-8", close_with(1000, "\xff"), {kNotText, kProtocolError}},
      {"a length with its highest bit set",
       std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10) + "abcd",
       {kProtocolError, kTooBig}},
      {"a message beyond the bound", Frame(kText, std::string((1U << 20U) + 1, 'x')).bytes(), {kTooBig}},
      {"parts beyond the bound together",
       part(kText, std::string(600'000, 'x')).bytes() +
           Frame(kContinuation, std::string(600'000, 'x')).bytes(),
       {kTooBig}},
  };
  for (const unsigned bits : {1U, 2U, 4U, 7U})
    all.emplace_back(fmt::format("reserved bits {} in a text", bits), reserved(bits, kText, text), wrong);
  for (const unsigned opcode : {3U, 7U, 11U, 15U})
    all.emplace_back(fmt::format("a frame of the unknown kind {}", opcode), Frame(opcode, "x").bytes(),
                     wrong);
  for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1016, 2999})
    all.emplace_back(fmt::format("a close with the code {}", code), close_with(code), wrong);
  return all;
}

}  // namespace

TEST_CASE("W-1 hostile: each breach of the WebSocket protocol ends the connection with its code") {
  Served server;
  Honest honest(with_honest(server));
  for (const auto& one : wrong_frames()) {
    CAPTURE(one.name);
    RawSocket socket(server.port());
    REQUIRE(socket.upgrade("/core?topics=nothing.of.it") == 101);
    socket.send(one.bytes);
    const int code = socket.closed();
    CAPTURE(code);
    CHECK(std::find(one.ends_with.begin(), one.ends_with.end(), code) != one.ends_with.end());
    honest.converse();
  }
  CHECK(honest.client().count("test.x") == 0);
}

TEST_CASE("W-1 hostile: what comes after a breach is not looked at") {
  Served server;
  Honest honest(with_honest(server));
  CoreClient listener = server.client("?topics=test.*");
  RawSocket socket(server.port());
  REQUIRE(socket.upgrade() == 101);
  socket.send(unmasked(kPing, "x") + Frame(kText, R"({"type": "test.after"})").bytes());
  CHECK(socket.closed() == kProtocolError);
  listener.catch_up();
  CHECK(listener.count("test.after") == 0);
  honest.converse();
}

TEST_CASE("W-1 hostile: an opening handshake that is none is refused") {
  Served server;
  Honest honest(with_honest(server));
  const std::string head = "GET /core HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  const std::string upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
  const std::string version = "Sec-WebSocket-Version: 13\r\n",
                    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  for (const std::string& request :
       {head + "\r\n", head + upgrade + "\r\n", head + upgrade + version + "\r\n",
        head + upgrade + key + "\r\n", head + upgrade + "Sec-WebSocket-Version: 12\r\n" + key + "\r\n",
        head + "Upgrade: websocket\r\n" + version + key + "\r\n",
        head + "Connection: Upgrade\r\n" + version + key + "\r\n",
        "POST /core HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n" + upgrade + version + key + "\r\n",
        "GET /core HTTP/1.0\r\nHost: 127.0.0.1\r\n" + upgrade + version + key + "\r\n"}) {
    CAPTURE(request);
    RawSocket socket(server.port());
    socket.send(request);
    socket.end_sending();
    const int status = status_of(socket.read_all());
    CHECK(status >= 400);
    CHECK(status < 500);
    honest.converse();
  }
}

TEST_CASE("W-5 hostile: pings, empty parts and a message that never ends cost their sender only") {
  Served server;
  Honest honest(with_honest(server));
  RawSocket pings(server.port()), parts(server.port()), endless(server.port());
  for (RawSocket* socket : {&pings, &parts, &endless})
    REQUIRE(socket->upgrade("/core?topics=nothing.of.it") == 101);
  const std::string ping = Frame(kPing, std::string(125, 'p')).bytes();
  std::string many;
  for (int i = 0; i < 100; ++i) many += ping;
  // It never reads the pongs.
  for (int i = 0; i < 200 && pings.send(many); ++i) {
    if (i % 50 == 0) honest.converse();
  }
  parts.send(part(kText, "").bytes());
  for (int i = 0; i < 20'000 && parts.send(part(kContinuation, "").bytes()); ++i) {
    if (i % 5'000 == 0) honest.converse();
  }
  endless.send(part(kText, "[").bytes());
  bool open = true;
  for (int i = 0; i < 2'000 && open; ++i)
    open = endless.send(part(kContinuation, std::string(10'000, ' ')).bytes());
  CHECK(endless.closed() == kTooBig);
  honest.converse();
  // A pong nobody has asked for is allowed.
  RawSocket pong(server.port());
  REQUIRE(pong.upgrade("/core?topics=test.*") == 101);
  pong.send(Frame(kPong, "x").bytes() + Frame(kText, R"({"type": "test.x"})").bytes());
  CHECK(pong.read_until("test.x").find("test.x") != std::string::npos);
}
