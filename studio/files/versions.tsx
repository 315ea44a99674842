import { Download, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { File, Version } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes, formatTime } from "../lib/format.ts";
import { useListed } from "../lib/listed.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { IconButton, iconButtonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { MoreButton } from "../ui/more-button.tsx";
import { Result } from "../ui/screen.tsx";
import { reloadFiles } from "./folder.ts";
import { fileTexts as t } from "./texts.ts";

/** The earlier contents of a file. */
export function Versions({ file }: { file: File }) {
  const [leaving, setLeaving] = useState<Version | null>(null);
  const versions = useListed(["files", "versions", file.id], (cursor, signal) =>
    api.listVersions({ id: file.id, cursor, pageSize: 50 }, { signal }),
  );
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">{t.versions}</h3>
      <Result of={versions}>
        {(items) => {
          if (items.length === 0) return <p className="text-sm text-soft">{t.noVersions}</p>;
          return (
            <ul className="grid gap-1" aria-label={t.versions}>
              {items.map((version) => (
                <VersionLine key={version.id} file={file} version={version} onDelete={() => setLeaving(version)} />
              ))}
            </ul>
          );
        }}
      </Result>
      <MoreButton of={versions} label={words.more} />
      {leaving && (
        <Dialog
          title={t.deleteVersion}
          onClose={() => setLeaving(null)}
          onSubmit={() => {
            setLeaving(null);
            void deleteVersion(leaving);
          }}
          submit={{ label: words.delete, isDanger: true }}
        >
          {t.deleteVersionText}
        </Dialog>
      )}
    </section>
  );
}

type LineProps = { file: File; version: Version; onDelete: () => void };

function VersionLine({ file, version, onDelete }: LineProps) {
  const time = formatTime(version.createdAt);
  const small = "!size-8 !min-h-8 pointer-coarse:!size-11";
  return (
    <li className="flex items-center gap-1 text-sm">
      <span className="min-w-0 flex-1">
        {time}
        <span className="block text-soft">{formatBytes(version.size)}</span>
      </span>
      <IconButton
        label={`${words.restore}: ${time}`}
        className={small}
        onClick={() => void restoreVersion(file, version)}
      >
        <RotateCcw />
      </IconButton>
      <a
        href={api.readVersion.url({ id: file.id, versionID: version.id, download: "" })}
        download
        aria-label={`${words.download}: ${time}`}
        title={words.download}
        className={classes(iconButtonClass(), small)}
      >
        <Download />
      </a>
      <IconButton label={`${t.deleteVersion}: ${time}`} className={small} onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

async function restoreVersion(file: File, version: Version): Promise<void> {
  try {
    await api.restoreVersion({ id: file.id, versionID: version.id });
    showToast({ text: t.restoredVersion(formatTime(version.createdAt)) });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void restoreVersion(file, version) });
  }
  void reloadFiles();
}

async function deleteVersion(version: Version): Promise<void> {
  try {
    await api.deleteVersion({ id: version.fileID, versionID: version.id });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void deleteVersion(version) });
  }
  void reloadFiles();
}
