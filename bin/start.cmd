@rem npm start, where there is no shell.
@node "%~dp0bun" "%~dp0start.ts" %*
