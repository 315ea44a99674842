/** What the client is made from: the parts of the OpenAPI document that it reads. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema; description?: string };
type Content = Record<string, { schema: Schema }>;
export type Operation = {
  "x-safe"?: boolean;
  "x-required-role"?: string;
  "x-required-scope"?: string[];
  security: unknown[];
  operationId: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
};
export type APIDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
