//! Events of the nvme and scsi drivers among the samples.

use super::{EventFormat, Field};
use crate::driver::{CommandStep, DriverEvent, DriverPoint, nvme, nvme_event, scsi, scsi_event};

/// The layout of one kind of a driver's event; absent are the fields that it or the kernel's
/// version does not have.
#[derive(Clone, Copy, Debug)]
pub struct DriverFormat {
    /// The meaning of the event.
    pub point: DriverPoint,
    disk: Option<Field>,
    /// Controller, queue, command and namespace of nvme; host, channel, id and lun of scsi.
    place: [Option<Field>; 4],
    opcode: Option<Field>,
    /// The command: from dword 10 on, or the command descriptor block.
    command: Option<Field>,
    /// The status of nvme, or the result of scsi.
    result: Option<Field>,
    tag: Option<Field>,
}

impl DriverFormat {
    /// The layout of such an event; `None` for others.
    pub fn from_event(shape: &EventFormat) -> Option<DriverFormat> {
        let point =
            DriverPoint::named(shape.name.as_bytes()).filter(|point| !point.is_of_text())?;
        let place = if point.is_nvme() {
            ["ctrl_id", "qid", "cid", "nsid"]
        } else {
            ["host_no", "channel", "id", "lun"]
        };
        Some(DriverFormat {
            point,
            disk: shape.field(&["disk"]),
            place: place.map(|name| shape.field(&[name])),
            opcode: shape.field(&["opcode"]),
            command: shape.field(&["cdw10", "cmnd"]),
            result: shape.field(&["status", "result"]),
            tag: shape.field(&["driver_tag"]),
        })
    }

    /// The event of a sample; `None` for commands of the controller, and if the sample is too
    /// short.
    pub fn event<'a>(&self, sample: &'a [u8], big: bool) -> Option<DriverEvent<'a>> {
        let number =
            |field: Option<Field>| field.and_then(|f| f.number(sample, big)).map(|n| n as u64);
        let place = self.place.map(|field| number(field).unwrap_or(0));
        let raw = self.command.and_then(|field| field.raw(sample, big));
        let scsi_command = || scsi::command(raw.unwrap_or_default());
        let tag = number(self.tag);
        let paired = tag.is_some() || self.command.is_some();
        match self.point {
            DriverPoint::NvmeSetup => {
                // Perfetto records no bytes of a command: it is only counted.
                let command = match self.command {
                    Some(_) => Some(nvme::command_of(number(self.opcode)? as u8, raw?)?),
                    None => None,
                };
                nvme_event(self.disk(sample, big), place, CommandStep::Started, command)
            }
            DriverPoint::NvmeComplete => {
                let error = nvme::outcome(number(self.result)?);
                nvme_event(
                    self.disk(sample, big),
                    place,
                    CommandStep::Done(error),
                    None,
                )
            }
            // No field identifies the command.
            _ if !paired => None,
            DriverPoint::ScsiStart => {
                Some(scsi_event(place, tag, CommandStep::Started, scsi_command()))
            }
            DriverPoint::ScsiError => {
                Some(scsi_event(place, tag, CommandStep::Refused, scsi_command()))
            }
            DriverPoint::ScsiTimeout => Some(scsi_event(
                place,
                tag,
                CommandStep::TimedOut,
                scsi_command(),
            )),
            DriverPoint::ScsiDone => {
                let [status, _, host, _] = (number(self.result)? as u32).to_le_bytes();
                let step =
                    scsi::outcome(host, status).map_or(CommandStep::Refused, CommandStep::Done);
                Some(scsi_event(place, tag, step, scsi_command()))
            }
            DriverPoint::MmcStart | DriverPoint::MmcDone | DriverPoint::Ufs => None,
        }
    }

    fn disk<'a>(&self, sample: &'a [u8], big: bool) -> &'a [u8] {
        self.disk
            .and_then(|field| field.text(sample, big))
            .unwrap_or_default()
    }
}
