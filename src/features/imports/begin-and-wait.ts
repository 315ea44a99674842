/** What is small is done within this time, so that the client needs no second request. */
const waitMilliseconds = 5000;

type Worker = { begin(id: number): void; wait(id: number, milliseconds: number): Promise<void> };

export async function beginAndWait(worker: Worker, id: number): Promise<void> {
  worker.begin(id);
  await worker.wait(id, waitMilliseconds);
}
