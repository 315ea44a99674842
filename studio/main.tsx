import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./lib/queries.ts";
import { startShortcuts } from "./lib/shortcuts.ts";
import { router } from "./routes.tsx";
import "./studio.css";

const root = document.querySelector("#studio");
if (!root) throw new Error("The page has no place for the studio.");

startShortcuts();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
// After the first screen: the worker then loads all others.
if (isSecureContext) addEventListener("load", () => void startWorker().catch(() => {}));

async function startWorker(): Promise<void> {
  const workers = navigator.serviceWorker;
  await workers?.register("/studio/worker.js", { scope: "/studio" });
  // Until version 0.2 it was registered for a part of the addresses, for which it would stay in charge.
  for (const old of (await workers?.getRegistrations()) ?? [])
    if (old.scope.endsWith("/studio/")) await old.unregister();
}
