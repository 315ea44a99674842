import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

type Props<Name extends string> = {
  label: string;
  to: "/blog" | "/comments";
  names: readonly Name[];
  current: Name;
  children: (name: Name) => ReactNode;
};

/** Parts of a list, each with its own address. The first is the one without `tab`. */
export function TabLinks<Name extends string>({ label, to, names, current, children }: Props<Name>) {
  const nav = useRef<HTMLElement>(null);
  // On a phone, the last ones may be out of sight. In braces, because some browsers return a promise.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className="flex flex-1 gap-1 overflow-x-auto">
      {names.map((name, index) => (
        <Link
          key={name}
          to={to}
          search={index === 0 ? {} : { tab: name }}
          // Otherwise the router also marks the first as current: each address has all that it asks for.
          activeOptions={{ exact: true }}
          aria-current={name === current ? "page" : undefined}
          className="flex min-h-9 items-center gap-2 rounded-control px-3 whitespace-nowrap text-soft no-underline hover:bg-tint aria-[current]:bg-tint aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11"
        >
          {children(name)}
        </Link>
      ))}
    </nav>
  );
}
