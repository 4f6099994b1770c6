import { writeFile } from 'node:fs/promises'
import { bundlePageScript } from './bundlePageScript.ts'

/** `npm run pages`: writes the scripts of the hosted pages again; the functions bundle them. */
for (const name of ['passkeySignIn', 'passkeyRegistration']) {
  const script = await bundlePageScript(name)
  await writeFile(
    new URL(`../../lib/pages/scripts/${name}.json`, import.meta.url),
    `${JSON.stringify({ script }, null, 2)}\n`,
  )
  console.log(`${name.padEnd(24)}${(script.length / 1024).toFixed(1).padStart(8)} KB`)
}
