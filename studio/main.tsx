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
if (isSecureContext) void navigator.serviceWorker?.register("/studio/worker.js", { scope: "/studio/" }).catch(() => {});
