import { Link } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight, CircleCheck, ImageOff, Images } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { nameWithoutTitle } from "../../lib/photo-name.ts";
import { words } from "../../lib/words.ts";
import { sourceOf } from "../../pickers/thumb.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Empty, Failure, Loading, Screen } from "../../ui/screen.tsx";
import { useLibrary } from "../library.ts";
import { titlesTexts as t } from "./texts.ts";
import { useTitles } from "./use-titles.ts";

const withoutTitle = { title: "none" } as const;

/** Photos without titles, one after another: a picture, its title, its alternative text, and the next one. */
export function TitlesScreen() {
  const titles = useTitles();
  const { about } = useLibrary(withoutTitle);
  const { query, photo } = titles;
  return (
    <Screen
      title={words.writeTitles}
      isWide
      about={about}
      actions={
        <Link to="/photos" className={buttonClass()}>
          <Images />
          {words.allPhotos}
        </Link>
      }
    >
      {photo ? (
        <Writing key={photo.id} photo={photo} titles={titles} />
      ) : query.error ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : query.data && !titles.isLoadingMore ? (
        <Done hasAny={titles.hasAny} onAgain={() => void titles.startAgain()} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

type Titles = ReturnType<typeof useTitles>;

function Writing({ photo, titles }: { photo: Photo; titles: Titles }) {
  const { fields, following, canGoBack, change, goBack, skip, saveAndGoOn } = titles;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  useEffect(() => {
    const source = following && sourceOf(following, pictureWidth());
    if (source) new Image().src = source;
  }, [following]);
  const name = nameWithoutTitle(photo);
  const listen = (event: KeyboardEvent) => {
    const isInText = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    const run = {
      // A button does what it says.
      Enter: isInText && !event.shiftKey && !event.nativeEvent.isComposing ? saveAndGoOn : null,
      PageDown: skip,
      PageUp: canGoBack ? goBack : null,
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <form
      className="grid gap-5 md:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)] md:gap-8"
      onKeyDown={listen}
      onSubmit={(event) => {
        event.preventDefault();
        saveAndGoOn();
      }}
    >
      <Picture photo={photo} />
      <div className="grid content-start gap-4">
        <TextField
          ref={first}
          label={words.title}
          placeholder={photo.title}
          hint={name === null ? t.notShown : t.shownAs(name)}
          maxLength={300}
          dir="auto"
          autoComplete="off"
          enterKeyHint="next"
          value={fields.title}
          onChange={({ target }) => change({ title: target.value })}
        />
        <TextArea
          label={t.altText}
          hint={t.altTextHint}
          rows={3}
          maxLength={2000}
          dir="auto"
          enterKeyHint="next"
          value={fields.altText}
          onChange={({ target }) => change({ altText: target.value })}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="main" icon={<ArrowRight />} className="max-md:flex-1">
            {t.next}
          </Button>
          <Button onClick={skip}>{words.skip}</Button>
          <Button icon={<ArrowLeft />} disabled={!canGoBack} onClick={goBack}>
            {t.previous}
          </Button>
        </div>
        <p className="text-sm text-soft pointer-coarse:hidden">{t.keys}</p>
      </div>
    </form>
  );
}

const pictureWidth = () => Math.min(900, window.innerWidth);

function Picture({ photo }: { photo: Photo }) {
  const source = sourceOf(photo, pictureWidth());
  return (
    <div className="grid h-[38dvh] place-items-center overflow-hidden rounded-card bg-tint md:h-[calc(100dvh-9rem)]">
      {source ? (
        <img src={source} alt={photo.altText || photo.title} className="size-full object-contain" />
      ) : (
        <p className="grid place-items-center gap-2 text-soft">
          <ImageOff className="size-8 stroke-[1.25]" />
          {t.noPicture}
        </p>
      )}
    </div>
  );
}

/** `hasAny` says that some were shown, of which some may have been skipped. */
const Done = ({ hasAny, onAgain }: { hasAny: boolean; onAgain: () => void }) => (
  <Empty
    icon={<CircleCheck />}
    title={hasAny ? t.done : t.allDone}
    action={
      <div className="flex flex-wrap justify-center gap-2">
        {hasAny && <Button onClick={onAgain}>{t.again}</Button>}
        <Link to="/photos" className={buttonClass("main")}>
          {words.allPhotos}
        </Link>
      </div>
    }
  >
    {hasAny && t.skipped}
  </Empty>
);
