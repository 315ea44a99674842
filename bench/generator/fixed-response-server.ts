// Sends the same response to everything, so that the time of a request is that of the generator.
const answer = Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
const socket = { data: (client: Bun.Socket) => void client.write(answer) };
const { port } = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
console.error(`Listening: ${port}`);
