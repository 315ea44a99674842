/** An example is run by `tests/guards/pasted.test.ts`, in the order of the commands. `guide` is a page in `docs/`. */
type CommandExamples = Readonly<{ run: string[]; guide?: string }>;

/** What `docs/reference/command-line.md` shows of each command besides its help. */
export const commandExamples: Record<string, CommandExamples> = {
  serve: { run: ["npx vitrine serve --port 9000 --data ~/vitrine"], guide: "operate/deploy.md" },
  "user add": { run: ["npx vitrine user add bob --role reader"], guide: "use/people.md" },
  "user list": { run: ["npx vitrine user list"] },
  "user role": { run: ["npx vitrine user role bob author"], guide: "use/people.md" },
  "user password": { run: ["npx vitrine user password bob"], guide: "use/signing-in.md" },
  "user reset-factors": { run: ["npx vitrine user reset-factors bob"], guide: "use/signing-in.md" },
  "user password-link": { run: ["npx vitrine user password-link bob"], guide: "use/signing-in.md" },
  "user remove": { run: ["npx vitrine user remove bob --yes"], guide: "use/people.md" },
  import: { run: ["npx vitrine import docs --owner ada"], guide: "start/moving.md" },
  export: {
    run: ["npx vitrine export ~/export", "npx vitrine export --site ~/copy --url https://example.org"],
    guide: "use/export.md",
  },
  "backup create": { run: ["npx vitrine backup create --to ~/backup"], guide: "operate/backup.md" },
  "backup list": { run: ["npx vitrine backup list --from ~/backup"] },
  "backup contents": { run: ["npx vitrine backup contents --from ~/backup --kind photo"] },
  "backup verify": { run: ["npx vitrine backup verify --from ~/backup"] },
  "backup prune": { run: ["npx vitrine backup prune --from ~/backup --dry-run"] },
  "backup restore": {
    run: ["npx vitrine backup restore --from ~/backup --data ~/restored"],
    guide: "operate/backup.md",
  },
  "record backup": { run: ["npx vitrine record backup"] },
  "confirm clock": { run: ["npx vitrine confirm clock"], guide: "operate/operating.md" },
  "rebuild posts": { run: ["npx vitrine rebuild posts"] },
  "rebuild pictures": { run: ["npx vitrine rebuild pictures"] },
  "rebuild search": { run: ["npx vitrine rebuild search"] },
  "rebuild counts": { run: ["npx vitrine rebuild counts"] },
  doctor: { run: ["npx vitrine doctor --hash"], guide: "operate/operating.md" },
  rescue: { run: ["npx vitrine rescue ~/rescued"], guide: "operate/backup.md" },
  migrate: { run: ["npx vitrine migrate --dry-run", "npx vitrine migrate"], guide: "operate/deploy.md" },
  rollback: { run: ["npx vitrine rollback --list"], guide: "operate/deploy.md" },
  "migrate-engine": {
    run: ["npx vitrine migrate-engine --to-database sqlite --to-storage disk --to-dir ~/moved"],
    guide: "operate/scaling.md",
  },
  openapi: { run: ["npx vitrine openapi"], guide: "reference/api.md" },
  version: { run: ["npx vitrine version"], guide: "build/releasing.md" },
};
