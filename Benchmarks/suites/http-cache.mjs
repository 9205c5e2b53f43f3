// Runs the public suite for HTTP caches with HTTPPresetSource as the cache.
//
//     node Benchmarks/suites/http-cache.mjs FOLDER [TEST …]        from the package's folder
//
// FOLDER is a checkout of github.com/http-tests/cache-tests (BSD-3-Clause; the last run used the
// version of 2026-07-20). Without names, all tests run. The suite's tests, server and checks run
// unchanged, in this process, on the loopback interface. Only the client is different: for each
// request, HTTPCacheClient loads a preset with a new HTTPPresetSource. The checks get only what
// this source returns: the preset or the error. The preset's rule version is the number of the
// request that the response answered. Response headers are compared only if they distinguish
// responses.
//
// An HTTPPresetSource sends a request to the server at each load. It uses its cache only if the
// request fails. Therefore some tests run a second time with the server "away": the server closes
// the connection without a response. These tests are of two kinds:
// - The test requires a stored response. In the first run, it fails because the server received a
//   request. The outcome is "away" if the stored response is used when the server is away.
// - The test forbids a stored response because of no-store, no-cache, must-revalidate, Vary, or
//   another URL. It fails if the stored response is used when the server is away. Tests of a
//   response's age do not belong to this kind, because a stale response may be used when the server
//   is away.
//
// The suite has three kinds of tests: "required", "optimal" and "check". A "check" finds out
// whether a cache does something, and "passed" means yes. A test is "moot" if it passes, but a test
// that it depends on fails. A test does not apply ("n/a") if it needs a feature that a client of
// presets does not have, see `obstacle`. A test fails "by choice" if it requires that the cache
// compares the request fields that Vary names. An HTTPPresetSource does not compare them: the app's
// cache key distinguishes listeners, and a preset must stay usable after a change of the access
// token.
//
// If a required test fails, the script ends with 1. It needs 1 minute and node 20. Benchmarks must
// be built in release mode, or HTTP_CACHE_CLIENT must be the path of HTTPCacheClient.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const [suite, ...names] = process.argv.slice(2);
if (!suite) {
  console.error("http-cache.mjs FOLDER [TEST …]");
  process.exit(64);
}
const load = file => import(pathToFileURL(path.resolve(suite, file)));
const suites = (await load("tests/index.mjs")).default;
const { makeTest, testResults, testUUIDs } = await load("test-engine/client/test.mjs");
const settings = await load("test-engine/client/config.mjs");
const handlers = {
  config: (await load("test-engine/server/handle-config.mjs")).default,
  test: (await load("test-engine/server/handle-test.mjs")).default,
  state: (await load("test-engine/server/handle-state.mjs")).default,
};

// The server

const server = http.createServer((request, response) => {
  const [, name, ...rest] = new URL(request.url, "http://127.0.0.1").pathname.split("/");
  handlers[name](rest, request, response);
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
settings.setBaseUrl(`http://127.0.0.1:${server.address().port}`);
// The cache is private. Therefore the client adds no headers that make proxies send requests to the
// server.
settings.setUseBrowserCache(true);

// The client

function built(name) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const command = ["build", "-c", "release", "--product", name, "--package-path", root];
  execFileSync("swift", command, { stdio: ["ignore", "ignore", "inherit"] });
  return path.join(execFileSync("swift", [...command, "--show-bin-path"], { encoding: "utf8" }).trim(), name);
}

const folder = mkdtempSync(path.join(tmpdir(), "http-cache-"));
const client = spawn(process.env.HTTP_CACHE_CLIENT ?? built("HTTPCacheClient"), { stdio: ["pipe", "pipe", "inherit"] });
client.on("exit", code => {
  if (code === 0) return;
  console.error(`HTTPCacheClient ended with ${code}`);
  process.exit(1);
});
const waiting = new Map();
let loads = 0;
const template = await new Promise(resolve => {
  createInterface({ input: client.stdout }).on("line", line => {
    const answer = JSON.parse(line);
    if (!("id" in answer)) return resolve(answer);
    waiting.get(answer.id)(answer);
    waiting.delete(answer.id);
  });
});

function loadPreset(url, uuid, headers) {
  const id = loads++;
  client.stdin.write(JSON.stringify({ id, url, folder: path.join(folder, uuid), headers }) + "\n");
  return new Promise(resolve => waiting.set(id, resolve));
}

// Each run's requests and the errors of its loads, by uuid.
const runs = new Map();
const realFetch = globalThis.fetch;

globalThis.fetch = async (url, init) => {
  const [, name, uuid] = new URL(url).pathname.split("/");
  if (name === "config") return configure(url, uuid, init);
  if (name === "state") return state(url, uuid);
  const { requests, errors } = runs.get(uuid);
  const number = Number(init.headers.find(header => header[0] === "Req-Num")[1]);
  const request = requests[number - 1];
  const answer = await loadPreset(url, uuid, init.headers);
  if (answer.error) errors.push(answer.error);
  const headers = new Headers();
  let status = answer.status ?? 504;
  let source = number;
  if (answer.preset !== undefined) {
    [status, source] = [200, answer.preset];
  } else if (answer.error === undefined) {
    // The client returns only that there is no preset. The status is the one that the server sent.
    const sent = request.response_status?.[0];
    status = [204, 404, 410].includes(sent) ? sent : 404;
  }
  const isAnswered = answer.error === undefined || answer.preset !== undefined || answer.status !== undefined;
  if (isAnswered) {
    headers.set("Server-Request-Count", source);
    headers.set("Client-Request-Count", source);
    // Some tests distinguish responses by this header.
    for (const [name, value] of requests[source - 1].response_headers ?? []) {
      if (name.toLowerCase() === "a") headers.set(name, value);
    }
  }
  const text = isAnswered ? requests[source - 1].response_body || uuid : answer.error;
  return { status, headers, text: async () => text };
};

// Configures the server so that it sends presets.
function configure(url, uuid, init) {
  const requests = JSON.parse(init.body);
  runs.set(uuid, { requests: structuredClone(requests), errors: [] });
  requests.forEach((request, index) => {
    request.response_body = JSON.stringify({ ...template, ruleVersion: index + 1 });
    const headers = request.response_headers ??= [];
    if (!headers.some(([name]) => name.toLowerCase() === "content-type")) {
      headers.push(["Content-Type", "application/json"]);
    }
  });
  return realFetch(url, { ...init, body: JSON.stringify(requests) });
}

// The requests that the server has received, without response headers. Requests that the server
// received while it was "away" are omitted.
async function state(url, uuid) {
  const { requests } = runs.get(uuid);
  const response = await realFetch(url);
  const seen = response.status === 200 ? await response.json() : [];
  const kept = seen.filter(({ request_num }) => {
    const request = requests[request_num - 1];
    return !(request.disconnect && request.expected_type === "cached");
  });
  const text = JSON.stringify(kept.map(item => ({ ...item, response_headers: [] })));
  return { status: 200, text: async () => text };
}

// The tests

const kindOf = test => test.kind ?? "required";
const shownHeaders = ["a", "server-request-count", "client-request-count"];

// The reason why a client that loads a preset cannot pass the test; undefined if the client can
// pass it.
function obstacle(test) {
  const { requests } = test;
  const method = requests.map(request => request.request_method).find(method => method && method !== "GET");
  const asksFor = member => requests.some(request => request[member]);
  const isHidden = header => !shownHeaders.includes([header].flat()[0].toLowerCase());
  const headers = requests.flatMap(request =>
    [...request.expected_response_headers ?? [], ...request.expected_response_headers_missing ?? []]);
  if (test.cdn_only) return "for content delivery networks";
  if (/\bshared\b/i.test(test.name)) return "for shared caches";
  if (method) return `needs the method ${method}`;
  if (requests.some(request => request.request_headers?.some(([name]) => name === "Range"))) return "needs Range";
  if (asksFor("cache")) return "needs the cache modes of fetch()";
  if (asksFor("expected_interim_responses") && kindOf(test) !== "required") {
    return "needs interim responses shown to the caller";
  }
  if (requests.some(request => request.expected_status === 304)) return "needs 304 shown to a caller with a validator";
  if (headers.some(isHidden)) return "needs response headers shown to the caller";
}

// A variant of the test: the server is away when a stored response should be used.
function away(test) {
  const copy = structuredClone(test);
  copy.id += " (away)";
  for (const request of copy.requests) {
    if (request.expected_type === "cached") request.disconnect = true;
  }
  return copy;
}

// Whether the test forbids the stored response even if the server is away.
function forbids(test) {
  const last = test.requests.at(-1);
  return last.expected_type === "not_cached" && (last.query_arg !== undefined
    || test.requests.slice(0, -1).some(request => request.response_headers?.some(([name, value]) =>
      name === "Vary" || name === "Cache-Control" && /no-store|no-cache|must-revalidate/i.test(value))));
}

// Whether the responses depend on request fields that Vary names.
function variesByName(test) {
  return test.requests.some(request => request.response_headers?.some(([name, value]) =>
    name === "Vary" && !String(value).includes("*")));
}

// A variant of the test: at the end, the server is away, and no response may come from the cache.
function forbiddenAway(test) {
  const copy = structuredClone(test);
  copy.id += " (away)";
  const last = copy.requests.at(-1);
  delete last.expected_type;
  // The suite's own tests of stale responses use the same settings.
  Object.assign(last, {
    disconnect: true, expected_status: null, check_body: false,
    expected_response_headers_missing: ["server-request-count"],
  });
  return copy;
}

// The reason why the test fails, with the client's last error; undefined if the test passes.
async function failure(test) {
  await makeTest(test);
  const result = testResults[test.id];
  if (result === true) return undefined;
  const [kind, message] = result;
  const error = runs.get(testUUIDs[test.id]).errors.at(-1);
  const words = message.replace(/Response (\d+) .* server-request-count: "(\d+)"/, "Request $1 gets response $2");
  return (kind === "Assertion" ? "" : `${kind}: `) + words + (error ? ` (client: ${error})` : "");
}

async function run(test) {
  const result = (outcome, words) => ({ test, outcome, words });
  const reason = obstacle(test);
  if (reason) return result("n/a", reason);
  // One test requires that an interim response is not stored. It also expects that the client
  // returns this response. This second expectation is removed.
  for (const request of test.requests) delete request.expected_interim_responses;
  const words = await failure(structuredClone(test));
  const isRepeated = words === undefined ? forbids(test) : /does not come from cache/.test(words);
  if (!isRepeated) return result(words === undefined ? "passed" : "failed", words);
  const wordsAway = await failure(words === undefined ? forbiddenAway(test) : away(test));
  if (wordsAway !== undefined) return result(variesByName(test) ? "choice" : "failed", `away: ${wordsAway}`);
  return result(words === undefined ? "passed" : "away");
}

const all = suites.flatMap(({ tests }) => tests);
const chosen = names.length ? all.filter(test => names.includes(test.id)) : all;
const results = new Map();
for (let index = 0; index < chosen.length; index += 40) {
  for (const result of await Promise.all(chosen.slice(index, index + 40).map(run))) {
    results.set(result.test.id, result);
  }
}
client.stdin.end();
server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

// Whether all direct and indirect dependencies of the test have passed.
function isSupported(test) {
  return (test.depends_on ?? []).every(id => {
    const result = results.get(id);
    return !result || ["passed", "away"].includes(result.outcome) && isSupported(result.test);
  });
}

const columns = ["passed", "away", "moot", "choice", "failed", "n/a"];
const counts = {};
const reasons = {};
for (const result of results.values()) {
  if (["passed", "away"].includes(result.outcome) && !isSupported(result.test)) result.outcome = "moot";
  const kind = kindOf(result.test);
  counts[kind] ??= Object.fromEntries(columns.map(column => [column, 0]));
  counts[kind][result.outcome]++;
  if (result.outcome === "n/a") reasons[result.words] = (reasons[result.words] ?? 0) + 1;
  const words = result.words ? `: ${result.words}` : "";
  console.log(`${result.outcome.padEnd(6)} ${kind.padEnd(8)} ${result.test.id}${words}`);
}
console.log(`\n${"".padEnd(8)}${columns.map(column => column.padStart(8)).join("")}`);
for (const [kind, row] of Object.entries(counts)) {
  console.log(`${kind.padEnd(8)}${columns.map(column => String(row[column]).padStart(8)).join("")}`);
}
if (Object.keys(reasons).length) console.log("\nnot applicable:");
for (const [reason, count] of Object.entries(reasons)) console.log(`${String(count).padStart(4)} ${reason}`);
process.exitCode = counts.required?.failed ? 1 : 0;
