import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy, Download, Replace } from "lucide-react";
import type { ReactNode } from "react";
import type { File } from "../../client/src/index.ts";
import { downloadURL } from "../download/download.ts";
import { api } from "../lib/api.ts";
import { copyText } from "../lib/copy-text.ts";
import { formatBytes, formatTime } from "../lib/format.ts";
import { linkToDirectory } from "../lib/links.ts";
import { useMayChange, useOwnerName } from "../lib/owners.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { chooseFiles } from "../uploads/choose-files.ts";
import { replaceContent, setVisibility } from "./changes.ts";
import { useIsPrivate } from "./folder.ts";
import { describeKind, KindIcon } from "./kinds.tsx";
import { fileTexts as t } from "./texts.ts";
import { Thumbnail } from "./thumbnail.tsx";
import { UsedIn } from "./used-in.tsx";
import { Versions } from "./versions.tsx";

/** What is known of an entry, and what else can be done with it. */
export function Details({ entry: given }: { entry: File }) {
  // The list may be older than what a version or an upload has made of it.
  const { data: entry = given } = useQuery({
    queryKey: ["files", "one", given.id],
    queryFn: ({ signal }) => api.readFile({ id: given.id }, { signal }),
    placeholderData: given,
  });
  const { sha256 } = entry;
  const owner = useOwnerName(entry.ownerID);
  const isMine = useMayChange()(entry);
  const isInPrivate = useIsPrivate(entry.path);
  return (
    <div className="grid gap-5">
      <div className="grid justify-items-center gap-2 text-center">
        <Thumbnail
          entry={entry}
          className="max-h-40 max-w-full"
          icon={<KindIcon file={entry} className="size-16 stroke-[1.1]" />}
        />
        <h2 className="max-w-full font-semibold break-words">{entry.name}</h2>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <Fact name={words.kind}>{describeKind(entry)}</Fact>
        {!entry.isDirectory && <Fact name={words.size}>{formatBytes(entry.size)}</Fact>}
        <Fact name={words.folder}>
          <Link {...linkToDirectory(entry.path)} className="break-words text-accent underline">
            {entry.path === "/" ? words.files : entry.path}
          </Link>
        </Fact>
        <Fact name={t.created}>{formatTime(entry.createdAt)}</Fact>
        <Fact name={words.changed}>{formatTime(entry.updatedAt)}</Fact>
        <Fact name={t.owner}>{owner ?? t.you}</Fact>
        {sha256 && (
          <Fact name={t.checksum}>
            <span className="flex items-center gap-1">
              <code className="min-w-0 truncate font-mono text-xs">{sha256}</code>
              <IconButton label={t.copyChecksum} className="!size-7 !min-h-7" onClick={() => void copyChecksum(sha256)}>
                <Copy className="!size-3.5" />
              </IconButton>
            </span>
          </Fact>
        )}
      </dl>
      {isMine && (
        <SelectField
          label={t.visibility}
          value={isInPrivate ? "private" : entry.visibility}
          disabled={isInPrivate}
          hint={isInPrivate ? t.privateFolder : undefined}
          options={[
            { value: "public", label: words.public },
            { value: "private", label: words.private },
          ]}
          onChange={(event) => void setVisibility([entry], event.target.value as File["visibility"])}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <a className={buttonClass()} href={downloadURL(entry)} download>
          <Download aria-hidden="true" />
          {entry.isDirectory ? words.downloadZip : words.download}
        </a>
        {isMine && !entry.isDirectory && <ReplaceButton entry={entry} />}
      </div>
      {isMine && !entry.isDirectory && <Versions file={entry} />}
      {isMine && <UsedIn file={entry} />}
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

function ReplaceButton({ entry }: { entry: File }) {
  const replace = async () => {
    const [chosen] = await chooseFiles({ isSingle: true });
    if (chosen) await replaceContent(entry, chosen.file);
  };
  return (
    <Button icon={<Replace aria-hidden="true" />} onClick={() => void replace()}>
      {t.replace}
    </Button>
  );
}

async function copyChecksum(checksum: string): Promise<void> {
  if (await copyText(checksum)) showToast({ text: words.copied });
  else showToast({ text: t.copyFailed, isFailure: true });
}
