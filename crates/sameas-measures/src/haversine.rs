//! Great-circle distance between two places given in degrees.

/// The mean radius of the Earth (IUGG), in kilometres.
pub const EARTH_RADIUS_KM: f64 = 6371.0088;

/// The distance in kilometres by the haversine formula.
///
/// Exchanging the two places changes no bit: differences occur only squared, and the product of the cosines commutes.
pub fn haversine_km(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64 {
    let (phi1, phi2) = (lat1.to_radians(), lat2.to_radians());
    let sin_dlat = ((phi2 - phi1) / 2.0).sin();
    let sin_dlon = ((lon2.to_radians() - lon1.to_radians()) / 2.0).sin();
    let a = sin_dlat * sin_dlat + phi1.cos() * phi2.cos() * (sin_dlon * sin_dlon);
    // Rounding may lift the value of antipodes a little above one, where the arc sine is not defined.
    2.0 * EARTH_RADIUS_KM * a.sqrt().min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    #[test]
    fn known_answers() {
        let paris_london = haversine_km(48.8566, 2.3522, 51.5074, -0.1278);
        assert!((paris_london - 343.56).abs() < 0.1, "{paris_london}");
        assert_eq!(haversine_km(10.0, 20.0, 10.0, 20.0), 0.0);
        let half_round = haversine_km(0.0, 0.0, 0.0, 180.0);
        assert!((half_round - PI * EARTH_RADIUS_KM).abs() < 1e-6);
        let quarter = haversine_km(90.0, 0.0, 0.0, 77.0);
        assert!((quarter - PI / 2.0 * EARTH_RADIUS_KM).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn symmetric_and_bounded(
            a in -90.0..90.0f64, b in -180.0..180.0f64, c in -90.0..90.0f64, d in -180.0..180.0f64,
        ) {
            let there = haversine_km(a, b, c, d);
            prop_assert_eq!(there.to_bits(), haversine_km(c, d, a, b).to_bits());
            prop_assert!((0.0..=PI * EARTH_RADIUS_KM * 1.000_001).contains(&there));
        }
    }
}
