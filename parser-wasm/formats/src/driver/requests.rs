//! Decides which events are the requests of a recording: those of the block layer, else the
//! commands of drivers, else block_io_start and block_io_done. The others would count each request
//! again.

use super::accounting::AccountedRequests;
use super::{CommandMoment, DriverCommands, DriverEvent, DriverPoint};
use crate::Record;
use crate::block_event::SeenActions;
use crate::number_outliers::EventNumber;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::event::{Action, DeviceNumber, Event};

/// The events of requests other than those that blktrace has.
#[derive(Clone, Debug, Default)]
pub struct OtherRequests {
    /// Whether there are block events, so that nothing else can be the requests.
    settled: bool,
    /// Commands are recorded without their bytes, so they are never the requests.
    bare: bool,
    drivers: DriverCommands,
    accounted: AccountedRequests,
}

impl OtherRequests {
    /// Takes a block event of a device; returns whether it counts. Plugs have no device and decide
    /// nothing.
    #[inline]
    pub fn block_event(&mut self, device: DeviceNumber) -> bool {
        self.settled || self.settle(device)
    }

    #[cold]
    fn settle(&mut self, device: DeviceNumber) -> bool {
        if device == DeviceNumber::NONE {
            return !self.drivers.counts().requests && !self.accounted.are_requests();
        }
        self.settled = !self.accounted.are_requests() && self.drivers.block_event();
        if self.settled {
            self.accounted.supersede();
        }
        self.settled
    }

    /// From now on commands are only counted.
    pub fn only_count(&mut self) {
        self.bare = true;
    }

    /// Whether commands are only counted.
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// Takes a driver's event; returns the number for which it was left out, if it was.
    pub fn command(
        &mut self,
        point: DriverPoint,
        event: &DriverEvent<'_>,
        moment: CommandMoment,
        seen: &mut SeenActions,
        sink: &mut impl FnMut(Record<'_>),
    ) -> Option<(EventNumber, u64)> {
        if !self.bare && !self.accounted.supersede() {
            self.drivers.block_event();
        }
        self.drivers.take(point, event, moment, seen, sink)
    }

    /// A driver's event whose command was not decoded.
    pub fn undecoded(&mut self) {
        self.drivers.undecoded();
    }

    /// Whether block_io_start and block_io_done are the requests.
    #[inline]
    pub fn accounts(&self) -> bool {
        self.accounted.counts()
    }

    /// Takes the place and bytes of a request that is issued, whether or not it counts.
    #[inline]
    pub fn issued(&mut self, event: &Event) {
        if event.action == Action::Issue {
            self.drivers.blocks.issue(event.sector, event.bytes.into());
        }
    }

    /// Whether there are commands whose requests are wanted.
    pub fn pairs(&self) -> bool {
        self.drivers.counts.nvme + self.drivers.counts.scsi + self.drivers.counts.mmc > 0
    }

    /// Names of disks, and the bytes of their logical blocks by block events of the same requests.
    pub fn block_sizes(&self) -> Vec<(String, u32)> {
        self.drivers.blocks.found()
    }

    /// Takes one of these as D or C.
    pub fn accounted(
        &mut self,
        event: Event,
        seen: &mut SeenActions,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        self.accounted.take(event, seen, sink);
    }

    /// Ends the file.
    pub fn finish(&mut self, seen: &mut SeenActions, sink: &mut impl FnMut(Record<'_>)) {
        self.drivers.finish(seen, sink);
        self.accounted.finish(seen, sink);
    }

    /// The fields that these requests lack: commands of drivers have no hints, and block_io_done no
    /// error.
    pub fn lacks(&self) -> Capabilities {
        let lacks = [
            (self.drivers.counts().requests, Capabilities::HINTS),
            (self.accounted.are_requests(), Capabilities::ERRORS),
        ];
        lacks
            .into_iter()
            .filter(|(lacks, _)| *lacks)
            .fold(Capabilities::NONE, |all, (_, what)| all | what)
    }

    /// The counts of the commands of drivers.
    pub fn counts(&self) -> DriverCounts {
        self.drivers.counts()
    }
}
