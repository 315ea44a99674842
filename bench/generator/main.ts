import type { Job } from "./job.ts";
import { run } from "./run.ts";

// The process that makes the load. It is its own, so that its work is not counted as that of whoever measures.
process.on("message", (job: Job) => {
  void run(job)
    .catch((error: Error) => ({ count: 0, milliseconds: 0, problem: error.message }))
    .then((outcome) => process.send?.(outcome));
});
