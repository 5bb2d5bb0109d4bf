/** The page's code as one script, for the single-file app: what the hosted page loads on demand is in it. */
import { build, type InlineConfig, mergeConfig, type Rolldown } from 'vite'

/** `page`: how the scripts of the hosted page are built. */
export async function oneScript(page: InlineConfig): Promise<string> {
  const whole: InlineConfig = {
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { output: { codeSplitting: false } }, chunkSizeWarningLimit: 1500 },
  }
  const { output } = (await build(mergeConfig(page, whole))) as Rolldown.RolldownOutput
  const scripts = output.flatMap(file => (file.type === 'chunk' ? [file.code] : []))
  const [script] = scripts
  if (script === undefined || scripts.length > 1) throw new Error(`single-file app: ${scripts.length} scripts instead of 1`)
  return script
}
