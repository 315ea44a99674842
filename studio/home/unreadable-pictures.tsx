import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { api } from "../lib/api.ts";
import { linkToFile } from "../lib/links.ts";
import { Result } from "../ui/screen.tsx";
import { line } from "./part.tsx";
import { homeTexts as t } from "./texts.ts";

/** The newest of them are named when it is opened, each with a link to its folder. */
export function UnreadablePictures({ fileIDs, children }: { fileIDs: number[]; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const files = useQuery({
    queryKey: ["files", "unreadable", fileIDs],
    queryFn: ({ signal }) => Promise.all(fileIDs.map((id) => api.readFile({ id }, { signal }))),
    enabled: isOpen,
  });
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${line} list-none hover:bg-tint`}>
        {children}
        <ChevronDown className="size-4 shrink-0 text-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="px-4 pb-3 pl-17">
        <p className="mb-1 text-sm text-soft">{t.unreadableHint}</p>
        <Result of={files}>
          {(list) => (
            <ul>
              {list.map(({ id, name, path }) => (
                <li key={id} className="truncate">
                  <Link
                    {...linkToFile({ id, path })}
                    className="inline-block py-1.5 underline decoration-line underline-offset-2 hover:decoration-current"
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Result>
      </div>
    </details>
  );
}
