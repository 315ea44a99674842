import { baseUrl, check, picture } from "../picture";
import { client } from "./client/client.gen";
import { changePhoto, createPhoto, listPhotos, readContent, signIn, signUp, uploadFile } from "./client";

client.setConfig({ baseUrl });
const credentials = { username: "hey-api", password: "correct horse battery" };

const { data: welcome } = await signUp({ body: credentials });
check(Boolean(welcome?.message), "a sign-up is welcomed");
const { data: session } = await signIn({ body: credentials });
check(session?.user.role === "author", "the new user is an author");
client.setConfig({ baseUrl, auth: session.token });

const { data: file } = await uploadFile({ body: { file: picture, path: "/hey-api" } });
check(file?.contentType === "image/png", "the upload is a PNG");

const { data: photo } = await createPhoto({ body: { title: "One pixel", fileID: file.id } });
check(photo?.width === 1 && photo.description === "", "the photo has the size of its file and no description");
const { data: photos = [], response } = await listPhotos({ query: { pageSize: 5 } });
check(photos.some(({ id }) => id === photo.id) && response.headers.has("x-total-count"), "the list has the photo");

const { data: bytes } = await readContent({ path: { id: file.id }, parseAs: "blob" });
check(bytes instanceof Blob && bytes.size === picture.size, "the content has every byte");

const { error, response: refused } = await changePhoto({ path: { id: photo.id }, body: { title: "" } });
check(refused.status === 400 && error?.field === "title", "a blank title is refused, and the field is named");
