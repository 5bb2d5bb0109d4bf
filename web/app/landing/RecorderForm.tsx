import { useId, useState } from 'react'
import { saveFile } from '../../charts/shared/menu/files'
import { fetchOwnFile, isCarried } from '../../lib/ownFile'
import { RECORDER, RECORDER_PRESETS, type RecorderFields } from './recipes'

interface RecorderFormProps {
  readonly fields: RecorderFields
  readonly onChange: (fields: RecorderFields) => void
}

/** Fields of the recorder's command, and a download of the script for machines without a network. */
export function RecorderForm({ fields, onChange }: RecorderFormProps) {
  const [failed, setFailed] = useState(false)
  const id = useId()
  const setField = (key: keyof RecorderFields, label: string, more: React.InputHTMLAttributes<HTMLInputElement>) => (
    <div className="recorder-field" data-field={key}>
      <label htmlFor={`${id}-${key}`}>{label}</label>
      <input
        id={`${id}-${key}`}
        className="field"
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={fields[key]}
        onChange={event => onChange({ ...fields, [key]: event.target.value })}
        {...more}
      />
    </div>
  )
  const save = async () => {
    try {
      const response = await fetchOwnFile(RECORDER)
      setFailed(!response.ok)
      if (response.ok) saveFile(RECORDER, await response.blob())
    } catch {
      setFailed(true)
    }
  }
  return (
    <div className="recorder-form">
      <div className="recorder-field" data-field="question">
        <label htmlFor={`${id}-question`}>Question</label>
        <select
          id={`${id}-question`}
          className="field"
          value={fields.question}
          onChange={event => {
            const preset = RECORDER_PRESETS.find(({ question }) => question === event.target.value)
            if (preset) onChange({ ...fields, question: preset.question, seconds: preset.seconds })
          }}
        >
          {RECORDER_PRESETS.map(({ question }) => (
            <option key={question}>{question}</option>
          ))}
        </select>
      </div>
      {setField('devices', 'Devices', { placeholder: '/dev/sda /dev/md0' })}
      {setField('seconds', 'Seconds', { inputMode: 'numeric', maxLength: 6 })}
      {setField('label', 'Label', { placeholder: 'kernel release', maxLength: 60 })}
      {isCarried(RECORDER) && (
        <button type="button" className="link" onClick={() => void save()}>
          <span aria-live="polite">{failed ? 'Download failed. Retry' : 'Download script'}</span>
        </button>
      )}
    </div>
  )
}
