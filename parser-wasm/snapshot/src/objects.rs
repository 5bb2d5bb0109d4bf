//! Shortens the lists of files, structures and call stacks, which have no room in small links.

use super::names::list;
use serde_json::{Number, Value as Json};

/// Rows of the table of files and structures; those that are left out are added to its rest.
const MAX_ROWS: usize = 8;
/// Objects that can have a colour and a name; the list has the most bytes first.
const MAX_LISTED: usize = 12;

/// Keeps the objects with the most bytes, and what is unknown, and no call stacks.
pub fn shorten(info: &mut Json, summary: &mut Json) {
    if let Some(objects) = info.get_mut("objects").and_then(Json::as_array_mut) {
        let mut listed = 0;
        objects.retain(|object| {
            listed += 1;
            listed <= MAX_LISTED || object["kind"] == "unknown"
        });
    }
    for device in list(summary, "devices").filter_map(Json::as_object_mut) {
        device.remove("stacks");
        let Some(used) = device.get_mut("objects") else {
            continue;
        };
        let Some(top) = used.get_mut("top").and_then(Json::as_array_mut) else {
            continue;
        };
        let left_out: Vec<Json> = top.drain(top.len().min(MAX_ROWS)..).collect();
        if let Some(rest) = used.get_mut("rest").and_then(Json::as_object_mut) {
            for (name, sum) in rest {
                let more = left_out.iter().filter_map(|object| object[name].as_u64());
                let all = more.fold(sum.as_u64().unwrap_or_default(), u64::saturating_add);
                *sum = Json::Number(Number::from(all));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_left_out_is_in_the_rest() {
        let object = |i: u64| json!({ "name": format!("f{i}"), "requests": 1, "read": i });
        let mut summary = json!({ "devices": [{
            "stacks": {},
            "objects": {
                "top": (0..20).map(object).collect::<Vec<_>>(),
                "rest": { "requests": 5, "read": 1 },
            },
        }] });
        let kind = |i| if i == 19 { "unknown" } else { "file" };
        let objects: Vec<Json> = (0..20)
            .map(|i| json!({ "index": i, "kind": kind(i) }))
            .collect();
        let mut info = json!({ "objects": objects });
        shorten(&mut info, &mut summary);
        let used = &summary["devices"][0]["objects"];
        assert_eq!(used["top"].as_array().map(Vec::len), Some(MAX_ROWS));
        assert_eq!(used["rest"], json!({ "requests": 17, "read": 163 }));
        assert!(summary["devices"][0].get("stacks").is_none());
        let listed = info["objects"].as_array().unwrap();
        assert_eq!(listed.len(), MAX_LISTED + 1);
        assert_eq!(listed.last().unwrap()["index"], 19);
    }
}
