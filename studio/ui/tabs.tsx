import { Tabs as Parts } from "radix-ui";
import type { ReactNode } from "react";

type Tab = { name: string; label: string; content: ReactNode };

export function Tabs({ tabs, value, onChange }: { tabs: Tab[]; value: string; onChange: (name: string) => void }) {
  return (
    <Parts.Root value={value} onValueChange={onChange}>
      <Parts.List className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ name, label }) => (
          <Parts.Trigger
            key={name}
            value={name}
            className="-mb-px min-h-10 border-b-2 border-transparent px-3 whitespace-nowrap text-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {label}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map(({ name, content }) => (
        <Parts.Content key={name} value={name}>
          {content}
        </Parts.Content>
      ))}
    </Parts.Root>
  );
}
