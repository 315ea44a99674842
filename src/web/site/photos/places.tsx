/** @jsxImportSource hono/jsx */

/** Where else a photo or an album is shown: albums and posts. */
export function Places({ title, places }: { title: string; places: { href: string; name: string }[] }) {
  if (places.length === 0) return null;
  return (
    <section class="places">
      <h2>{title}</h2>
      <ul class="chips">
        {places.map(({ href, name }) => (
          <li>
            <a class="chip" href={href} dir="auto">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
