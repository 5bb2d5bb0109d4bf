/**
 * The page as one script and one stylesheet, for the single-file app: what the hosted page loads on demand is in them.
 */
import { build, type InlineConfig, mergeConfig, type Rolldown } from 'vite'

export interface WholePage {
  readonly code: string
  readonly style: string
}

/** `page`: how the scripts of the hosted page are built. */
export async function wholePage(page: InlineConfig): Promise<WholePage> {
  const overrides: InlineConfig = {
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: false } },
      chunkSizeWarningLimit: 1500,
    },
  }
  const { output } = (await build(mergeConfig(page, overrides))) as Rolldown.RolldownOutput
  const scripts = output.flatMap(file => (file.type === 'chunk' ? [file.code] : []))
  const styles = output.flatMap(file =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  )
  const [[code], [style]] = [scripts, styles]
  if (code === undefined || style === undefined || scripts.length + styles.length > 2) {
    throw new Error(
      `single-file app: ${scripts.length} scripts and ${styles.length} stylesheets instead of one of each`,
    )
  }
  return { code, style }
}
