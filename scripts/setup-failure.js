// Says why an install failed and what to do about it, from the end of what npm wrote. The causes
// that people meet on a first run are distinguished; anything else shows npm's own words.

const LINES_SHOWN_MAX = 15

const CAUSES = [
  {
    pattern: /WEIR_NO_PINNED_NODE/,
    text: 'npm did not run the install script that fetches the Node Weir runs on.',
    remedy:
      'If `npm config get ignore-scripts` says true, allow this one: npm rebuild node --ignore-scripts=false',
  },
  {
    pattern: /ENOSPC|no space left/i,
    text: 'The disk is full.',
    remedy: 'Free about 1 GB, then try again. `npm cache clean --force` empties npm’s cache.',
  },
  {
    pattern: /EACCES|EPERM|EROFS|permission denied/i,
    text: 'A file or folder may not be written by this user.',
    remedy:
      'Make this folder and npm’s cache (npm config get cache) your own; do not install with sudo.',
  },
  {
    pattern: /WEIR_LOCK_MISMATCH|EJSONPARSE|ERESOLVE/,
    text: 'package-lock.json is missing, damaged or does not fit package.json.',
    remedy: 'Restore both from git; after a change of package.json run npm install.',
  },
  {
    pattern: /EINTEGRITY/,
    text: 'A download is not the file that package-lock.json names.',
    remedy: 'Run npm cache clean --force and try again; if it stays, do not trust that registry.',
  },
  {
    pattern: /CERT_|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|certificate/i,
    text: 'The registry’s certificate is not trusted here.',
    remedy: 'Behind an inspecting proxy, set NODE_EXTRA_CA_CERTS to its certificate file.',
  },
  {
    pattern: /E401|E403|ENEEDAUTH/,
    text: 'The registry refuses access.',
    remedy: 'Check the registry and its credentials: npm config get registry, npm login.',
  },
  {
    pattern: /E404|ETARGET|notarget/,
    text: 'The registry does not have a package that is needed.',
    remedy: 'Check npm config get registry; a mirror may lag behind.',
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|network/i,
    text: 'The package registry cannot be reached.',
    remedy:
      'Check the connection and npm config get registry; behind a proxy set HTTPS_PROXY. The first run needs the network.',
  },
  {
    pattern: /EBADENGINE|lockfileVersion|Unsupported engine|Invalid Version/i,
    text: 'This npm is too old.',
    remedy: 'Weir needs Node 18 and npm 9 or newer: npm --version',
  },
  {
    pattern: /spawn npm ENOENT/,
    text: 'npm was not found.',
    remedy: 'Install Node with npm (18 or newer) and try again.',
  },
]

export function explainInstallFailure(output) {
  const cause = CAUSES.find(({ pattern }) => pattern.test(output)) ?? {
    text: 'npm install failed.',
    remedy: 'Its last words are above; try again with: npm install --no-save',
  }
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('WEIR_'))
  const shown = lines.slice(-LINES_SHOWN_MAX).map((line) => `  ${line}`)
  return [...shown, '', `weir: ${cause.text}`, `weir: ${cause.remedy}`].join('\n')
}
