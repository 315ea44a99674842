/** @jsxImportSource hono/jsx */

type BreadcrumbProps = { label: string; steps: { href: string; name: string }[] };

/** The pages above a page, from the outermost. */
export function Breadcrumb({ label, steps }: BreadcrumbProps) {
  if (steps.length === 0) return null;
  return (
    <nav class="breadcrumb" aria-label={label}>
      <ol>
        {steps.map(({ href, name }) => (
          <li>
            <a href={href} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
