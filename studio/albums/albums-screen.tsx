import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Images, Plus } from "lucide-react";
import { useState } from "react";
import type { Album } from "../../client/src/index.ts";
import { useCommands } from "../lib/commands.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { flatten, myAlbumsQuery, parentsOf, toTree } from "../pickers/my-albums.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { AlbumCard } from "./album-card.tsx";
import { AlbumDialog } from "./album-dialog.tsx";
import { AlbumList, albumList } from "./album-list.tsx";
import { albumTexts as t } from "./texts.ts";

/** The albums at the top level, or those with a name. */
export function AlbumsScreen() {
  const [text, setText] = useState("");
  const [isCreating, setIsCreating] = useState(false);
  const albums = useQuery(myAlbumsQuery);
  const navigate = useNavigate();
  const create = () => setIsCreating(true);
  useShortcuts([{ keys: "n", label: words.newAlbum, run: create }]);
  useCommands([{ label: words.newAlbum, group: words.albums, keys: "n", run: create }]);
  const button = (wordClass?: string) => (
    <Button variant="main" icon={<Plus />} onClick={create}>
      <span className={wordClass}>{words.newAlbum}</span>
    </Button>
  );
  return (
    <Screen
      title={words.albums}
      isWide
      about={albums.data && countOf(recordKinds.album, albums.data.length)}
      actions={
        <>
          <SearchField label={t.search} value={text} onChange={setText} className="w-32 md:w-44" />
          {button("max-sm:sr-only")}
        </>
      }
    >
      <Result of={albums}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={<Images />} title={t.none} action={button()}>
              {t.noneHint}
            </Empty>
          ) : (
            <Cards albums={list} words={text.trim().toLowerCase()} />
          )
        }
      </Result>
      {isCreating && (
        <AlbumDialog
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => void navigate({ to: "/albums/$id", params: { id: String(id) } })}
        />
      )}
    </Screen>
  );
}

function Cards({ albums, words }: { albums: readonly Album[]; words: string }) {
  const tree = toTree(albums);
  if (!words) {
    return <AlbumList entries={tree.map(({ album, children }) => ({ album, inside: children.length }))} />;
  }
  const nodes = flatten(tree).filter(({ album }) => album.name.toLowerCase().includes(words));
  if (nodes.length === 0) return <p className="py-16 text-center text-soft">{t.noMatch}</p>;
  return (
    <ul className={albumList}>
      {nodes.map(({ album, children }) => (
        <AlbumCard
          key={album.id}
          album={album}
          inside={children.length}
          place={parentsOf(albums, album)
            .map(({ name }) => name)
            .join(" / ")}
        />
      ))}
    </ul>
  );
}
