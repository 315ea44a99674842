// Runs on the embedded engines only: it uses none.
import { expect, test } from "bun:test";
import { isCommonPassword } from "./common-passwords.ts";

test.each(
  `password Password1 P@ssw0rd passw0rd! password123 Passwort2024 12345678 123456789 1234567890 87654321 qwertyuiop qwerty123 qwertz123
  1q2w3e4r 1qaz2wsx zaq12wsx asdfghjkl asdf1234 1234qwer abcd1234 abc12345 aaaaaaaa abcabcabc 12121212 11223344 19900101 31.12.1999
  iloveyou letmein1 welcome1 Welcome2023! sunshine dragon123 football1 Sommer2024 hallo123 schatz123 superman1 trustno1 passwordpassword
  princess1 !@#$%^&* monkey12345 2024admin admin123456`.split(/\s+/),
)("%s is common", (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  "correct horse battery",
  "another password",
  "secret-password-1",
  "tide at nine",
  "closed from now on",
  "k7qa-2mzd-x4pe",
  "dragon8372651904",
  "Xk2!vbQ9",
  "my dog ate the sofa",
])("%s is not", (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test("the longest password is checked quickly", () => {
  for (const part of ["a", "ab1", "qwerty", "!", "password", "1!"]) isCommonPassword(part.repeat(256).slice(0, 256));
});
