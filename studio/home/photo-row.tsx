import { Link } from "@tanstack/react-router";
import type { Photo } from "../../client/src/index.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { Thumb } from "../pickers/thumb.tsx";

/** Up to eight photos beside each other; on a phone, in two rows. */
export const PhotoRow = ({ photos }: { photos: Photo[] }) => (
  <ul className="grid grid-cols-4 gap-1 overflow-hidden rounded-card md:grid-cols-8">
    {photos.map((photo) => (
      <li key={photo.id}>
        <Link
          to="/photos/$id"
          params={{ id: String(photo.id) }}
          aria-label={nameOfPhoto(photo)}
          title={nameOfPhoto(photo)}
          className="block hover:opacity-85 focus-visible:outline-offset-[-2px]"
        >
          <Thumb photo={photo} width={160} />
        </Link>
      </li>
    ))}
  </ul>
);
