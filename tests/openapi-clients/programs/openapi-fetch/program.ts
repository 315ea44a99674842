import createClient from "openapi-fetch";
import { baseUrl, check, picture } from "../picture";
import type { components, paths } from "./schema";

const api = createClient<paths>({ baseUrl });
const credentials = { username: "openapi-fetch", password: "correct horse battery" };

const { data: welcome } = await api.POST("/signup", { body: credentials });
check(Boolean(welcome?.message), "a sign-up is welcomed");
const { data: session } = await api.POST("/signin", { body: credentials });
check(session?.user.role === "author", "the new user is an author");
api.use({ onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${session.token}`) });

const { data: file } = await api.POST("/api/v1/files", {
  // A binary field has the type string, but the form accepts the file.
  body: { file: picture as unknown as string, path: "/openapi-fetch" },
  bodySerializer(body) {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, value);
    return form;
  },
});
check(file?.contentType === "image/png", "the upload is a PNG");

const { data: photo } = await api.POST("/api/v1/photos", { body: { title: "One pixel", fileID: file.id } });
check(photo?.width === 1 && photo.description === "", "the photo has the size of its file and no description");
const { data: photos = [], response } = await api.GET("/api/v1/photos", { params: { query: { pageSize: 5 } } });
const ids = photos.map(({ id }: components["schemas"]["Photo"]) => id);
check(ids.includes(photo.id) && response.headers.has("x-total-count"), "the list has the photo and a total");

const { data: image } = await api.GET("/api/v1/photos/{id}/image", {
  params: { path: { id: photo.id }, query: { w: "320" } },
  parseAs: "blob",
});
check(image instanceof Blob && image.size > 0, "the picture has bytes");

const { error, response: refused } = await api.PUT("/api/v1/photos/{id}", {
  params: { path: { id: photo.id } },
  body: { title: "" },
});
check(refused.status === 400 && error?.field === "title", "a blank title is refused, and the field is named");
