/** Why there was no response, as a sentence. Another attempt cannot help if it is permanent. */
export function explainFailure({ host, hostname }: URL, error: unknown): { sentence: string; isPermanent: boolean } {
  const { code, message } = error as NodeJS.ErrnoException;
  const temporary = (sentence: string) => ({ sentence, isPermanent: false });
  const permanent = (sentence: string) => ({ sentence, isPermanent: true });
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)_/.test(code ?? ""))
    return permanent(`The certificate of ${host} is not valid for this address, or nobody vouches for it (${code}).`);
  if (/^(EPROTO|ERR_SSL_)/.test(code ?? ""))
    return permanent(`${host} does not speak HTTPS: try the address with http://.`);
  switch (code) {
    case "ENOTFOUND":
      return temporary(`There is no server called ${hostname}.`);
    case "ECONNREFUSED":
      return temporary(`${host} cannot be reached: nothing responds at this address and port.`);
    default:
      return temporary(`${host} cannot be reached: ${code ?? message}.`);
  }
}
