// The smallest server on this runtime: no program on it can start sooner.
const smallest = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch: () => new Response("hello"),
});
console.log(`Listening on http://127.0.0.1:${smallest.port}`);
